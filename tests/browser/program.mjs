// SPDX-License-Identifier: Apache-2.0
// Starts one of our programs and waits for the address that it prints.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const kRoot = process.env.GS_ROOT ?? join(dirname(fileURLToPath(import.meta.url)), "../..");
const kBin = process.env.GS_BIN_DIR ?? join(kRoot, "build/bin");

export class Program {
  constructor(name, args) {
    this.output = [];
    this.process = spawn(join(kBin, name), args, { cwd: kRoot, stdio: ["ignore", "pipe", "pipe"] });
    this.ended = once(this.process, "exit");
    this.address = new Promise((resolve, reject) => {
      for (const stream of [this.process.stdout, this.process.stderr])
        createInterface({ input: stream }).on("line", (line) => {
          this.output.push(line);
          const found = line.match(/http:\/\/[\w.[\]:-]+:\d+/);
          if (found) resolve(`${found[0]}/`);
        });
      this.process.on("error", reject);
      this.process.on("exit", () => reject(new Error(`${name} ended:\n${this.output.join("\n")}`)));
    });
    this.address.catch(() => undefined); // whoever waits for it hears of it
  }

  get isRunning() {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  async stop(signal = "SIGINT") {
    if (this.isRunning) this.process.kill(signal);
    await this.ended;
  }
}

export function startSimulator(world, ...args) {
  return new Program("gs-simulator", [
    "run",
    world,
    "--headless",
    "--real-time-factor",
    "1",
    "--web",
    ...args,
  ]);
}
