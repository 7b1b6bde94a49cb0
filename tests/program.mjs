// SPDX-License-Identifier: Apache-2.0
// Starts one of our programs and waits for the address that it prints. No wait is without an end, and no
// program outlives the test that started it: `after(stopAll)`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const kRoot = process.env.GS_ROOT ?? join(dirname(fileURLToPath(import.meta.url)), "..");
const kBin = process.env.GS_BIN_DIR ?? join(kRoot, "build/bin");
// Of a busy machine: who waits so long waits in vain.
export const kPatienceMs = Number(process.env.GS_TEST_PATIENCE_MS ?? 60_000);
const kStopMs = 20_000;

// What the promise gives, or an error that says what was waited for.
export async function within(promise, what, milliseconds = kPatienceMs) {
  let timer;
  const patience = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${milliseconds / 1000} s for ${what}`)), milliseconds);
  });
  try {
    return await Promise.race([promise, patience]);
  } finally {
    clearTimeout(timer);
  }
}

// Asks again and again; `holds` waits for something itself, or for nothing.
export async function eventually(holds, what = String(holds)) {
  const deadline = Date.now() + kPatienceMs;
  while (!(await holds()))
    if (Date.now() > deadline) throw new Error(`waited ${kPatienceMs / 1000} s for ${what}`);
}

const running = new Set();

// For `after`: whatever happened before, nothing is left, and nothing keeps the test from ending.
export async function stopAll() {
  await Promise.all([...running].map((program) => program.stop("SIGKILL")));
}
process.on("exit", () => {
  for (const program of running) program.process.kill("SIGKILL");
});

export class Program {
  constructor(name, args) {
    this.name = name;
    this.output = [];
    this.process = spawn(join(kBin, name), args, { cwd: kRoot, stdio: ["ignore", "pipe", "pipe"] });
    running.add(this);
    this.ended = once(this.process, "exit").finally(() => running.delete(this));
    this.ended.catch(() => undefined); // whoever waits for it hears of it, here as below
    this.address = within(this.printedAddress(), `the address of ${name}`);
    this.address.catch(() => undefined);
  }

  printedAddress() {
    return new Promise((resolve, reject) => {
      for (const stream of [this.process.stdout, this.process.stderr])
        createInterface({ input: stream }).on("line", (line) => {
          this.output.push(line);
          const found = line.match(/http:\/\/[\w.[\]:-]+:\d+/);
          if (found) resolve(`${found[0]}/`);
        });
      this.process.on("error", reject);
      this.process.on("exit", () => reject(new Error(`${this.name} ended:\n${this.output.join("\n")}`)));
    });
  }

  get isRunning() {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  // Its exit code; one that does not end when told to is killed, and that is an error.
  async stop(signal = "SIGINT") {
    if (this.isRunning) this.process.kill(signal);
    try {
      const [code] = await within(this.ended, `${this.name} to end by ${signal}`, kStopMs);
      return code;
    } catch (error) {
      this.process.kill("SIGKILL");
      throw error;
    }
  }
}

export function startSimulator(world, ...args) {
  return new Program("gs-simulator", ["run", world, "--headless", "--real-time-factor", "1", "--web", ...args]);
}
