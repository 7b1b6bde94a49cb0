// SPDX-License-Identifier: Apache-2.0
#pragma once

// How the report looks, and the one thing that moves in it.
namespace gs_builder {

inline constexpr const char* kPageStyle = R"css(
:root{color-scheme:light dark;
--paper:#fcfcfa;--card:#fff;--ink:#1c2126;--soft:#57606a;--line:#dcdfe3;
--good:#14693a;--good-bg:#e2f3e8;--fair:#7d4e00;--fair-bg:#fdf0d5;--weak:#a4161a;--weak-bg:#fde4e3;
--unknown:#4b5563;--unknown-bg:#eceef1;--s0:#0b62b8;--s1:#b3460c;--s2:#1d7a46;--s3:#8a3ab9;--s4:#9a7400;--s5:#ad1a68}
@media screen and (prefers-color-scheme:dark){:root{--paper:#14171a;--card:#1c2024;--ink:#e6e9ec;--soft:#a3adb8;--line:#343a41;
--good:#7fd8a0;--good-bg:#15321f;--fair:#f0c36a;--fair-bg:#38290a;--weak:#ff9c96;--weak-bg:#431a19;
--unknown:#b6bec8;--unknown-bg:#2a2f35;--s0:#6cb4ff;--s1:#ff9d5c;--s2:#6fd195;--s3:#d39bff;--s4:#e5c354;--s5:#ff8cc6}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif}
main,header,footer{max-width:1080px;margin:0 auto;padding:0 24px}
header{padding-top:40px}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 4px;letter-spacing:-.01em;overflow-wrap:anywhere}
h2{font-size:1.3rem;margin:56px 0 8px;padding-top:16px;border-top:1px solid var(--line)}
h3{font-size:1.02rem;margin:28px 0 8px}
p{margin:8px 0;max-width:75ch}
.soft,.note,figcaption{color:var(--soft)}
.note,figcaption{font-size:.875rem}
nav{margin:12px 0 0;font-size:.875rem}
nav a{color:var(--soft);margin-right:16px}
.verdict{margin:24px 0;padding:20px 24px;border-radius:10px;border-left:8px solid currentColor}
.verdict p{margin:0;max-width:none;font-size:1.3rem;line-height:1.35;font-weight:600}
.good{color:var(--good);background:var(--good-bg)}.fair{color:var(--fair);background:var(--fair-bg)}
.weak{color:var(--weak);background:var(--weak-bg)}.unknown{color:var(--unknown);background:var(--unknown-bg)}
.findings{display:grid;grid-template-columns:repeat(auto-fit,minmax(230px,1fr));gap:14px}
.finding{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:14px 16px}
.finding h3{margin:0;font-size:.9rem;font-weight:600;display:flex;justify-content:space-between;gap:8px}
.finding .number{font-size:1.12rem;font-weight:600;margin:8px 0 4px;line-height:1.3;font-variant-numeric:tabular-nums}
.finding .words{margin:0;font-size:.875rem;color:var(--soft)}
.chip{font-size:.75rem;font-weight:600;padding:1px 9px;border-radius:99px;align-self:flex-start}
figure{margin:0}
img{display:block;width:100%;height:auto;background:var(--line)}
.three{display:grid;grid-template-columns:repeat(3,1fr);gap:14px}
.three h3{margin:0 0 2px}
.three img{border-radius:6px;margin-top:6px}
.triple{display:grid;grid-template-columns:repeat(3,1fr);gap:6px;margin:6px 0 4px}
.triple img{border-radius:4px}
dialog{border:0;border-radius:12px;padding:16px;background:var(--card);color:var(--ink);width:min(1100px,96vw)}
dialog::backdrop{background:rgba(0,0,0,.6)}
button{font:inherit;font-size:.8125rem;color:var(--ink);background:var(--card);border:1px solid var(--line);border-radius:6px;padding:0 8px;cursor:pointer}
dialog form{text-align:right;margin-top:10px}
.wipe{position:relative;--cut:50%}
.wipe img{border-radius:6px}
.wipe img+img{position:absolute;inset:0;clip-path:inset(0 0 0 var(--cut))}
.wipe .bar{position:absolute;top:0;bottom:0;left:var(--cut);width:2px;margin-left:-1px;background:#fff;box-shadow:0 0 0 1px rgba(0,0,0,.6);pointer-events:none}
.wipe b{position:absolute;top:8px;font-size:.75rem;font-weight:600;color:#fff;background:rgba(0,0,0,.7);padding:1px 8px;border-radius:99px;pointer-events:none}
.wipe b.l{left:8px}.wipe b.r{right:8px}
.wipe input{position:absolute;inset:0;width:100%;height:100%;margin:0;opacity:0;cursor:ew-resize}
.wipe:focus-within{outline:3px solid var(--s0);outline-offset:2px}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.9375rem;margin:10px 0}
th,td{text-align:right;padding:5px 14px;border-bottom:1px solid var(--line);vertical-align:top}
th:first-child,td:first-child{text-align:left;padding-left:0}
thead th{color:var(--soft);font-weight:600;font-size:.8125rem;vertical-align:bottom}
tbody th{font-weight:400}
tr.all td,tr.all th{font-weight:600}
.facts td{text-align:left;overflow-wrap:anywhere}.facts th{text-align:left;color:var(--soft);white-space:nowrap}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(360px,1fr));gap:8px 40px;align-items:start}
svg.chart{width:100%;height:auto;margin-top:8px}
svg text{font:12px system-ui,sans-serif;fill:var(--soft);font-variant-numeric:tabular-nums}
.grid{stroke:var(--line);stroke-width:1}
.s0{--c:var(--s0)}.s1{--c:var(--s1)}.s2{--c:var(--s2)}.s3{--c:var(--s3)}.s4{--c:var(--s4)}.s5{--c:var(--s5)}
[class^=s] polyline,[class^=s] line{fill:none;stroke:var(--c);stroke-width:1.8}
g[class^=s]>*:not(polyline),.legend circle,.legend rect,.legend polygon{fill:var(--c);stroke:var(--card);stroke-width:1}
.bars rect{fill:var(--s0)}
.legend{font-size:.875rem}.legend span{white-space:nowrap;margin-right:18px}.legend svg{vertical-align:-1px}
.map{background:#171a21;border-radius:8px;overflow:hidden}
.map svg{display:block;width:100%;height:auto;max-height:720px}
.map .edge{fill:none;stroke:#000;stroke-opacity:.75;stroke-linecap:round;stroke-linejoin:round}
.map line{stroke-linecap:round}.map text{fill:#fff;paint-order:stroke;stroke:#000;stroke-width:3px}
.ramp{display:inline-block;width:180px;height:10px;border-radius:5px;vertical-align:0;margin:0 8px}
.dot{display:inline-block;width:.75em;height:.75em;border-radius:50%;margin:0 4px 0 14px;border:1px solid var(--soft)}
pre{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:12px 16px;overflow-x:auto;font-size:.875rem;line-height:1.6}
ul{padding-left:20px}li{overflow-wrap:anywhere}
footer{margin:56px auto 40px;color:var(--soft);font-size:.875rem}
@media(max-width:700px){.three,.triple{grid-template-columns:1fr}.columns{grid-template-columns:1fr}}
@media print{:root{color-scheme:light}body{font-size:11pt}main,header,footer{max-width:none;padding:0}nav,button,dialog{display:none}
figure,.finding,tr,.triple{break-inside:avoid}h2,h3{break-after:avoid}.verdict,.chip,.map,.bars,.ramp,.dot{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
)css";

// Recorded and rendered in one place, with a slider between them. The script fills it with the two
// pictures of a figure, so that no picture is twice in the page; without script there are no
// buttons.
inline constexpr const char* kSliderDialog = R"html(<dialog aria-label="Recorded against rendered">
<div class="wipe"><img alt=""><img alt=""><span class="bar"></span><b class="l">recorded</b><b class="r">rendered</b><input type="range" min="0" max="100" value="50" aria-label="More of the recorded or more of the rendered image"></div>
<form method="dialog"><button>Close</button></form></dialog>
)html";

inline constexpr const char* kPageScript = R"js(
(function(){
  var dialog=document.querySelector("dialog"),wipe=dialog.querySelector(".wipe"),slider=wipe.querySelector("input");
  function cut(value){slider.value=value;wipe.style.setProperty("--cut",value+"%")}
  slider.addEventListener("input",function(){cut(slider.value)});
  document.querySelectorAll("figure.pair").forEach(function(figure){
    var button=document.createElement("button");
    button.textContent="Compare";
    button.addEventListener("click",function(){
      var from=figure.querySelectorAll("img"),to=wipe.querySelectorAll("img");
      for(var i=0;i<2;i++){to[i].src=from[i].src;to[i].alt=from[i].alt}
      cut(50);dialog.showModal()});
    figure.querySelector("figcaption").appendChild(button)})
})()
)js";

}  // namespace gs_builder
