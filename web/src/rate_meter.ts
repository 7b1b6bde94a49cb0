// SPDX-License-Identifier: Apache-2.0
// How often something happens: over the last two seconds.

const kWindowMs = 2000;

export class RateMeter {
  private times: number[] = [];

  count(): void {
    this.times.push(performance.now());
    this.forget();
  }

  get perSecond(): number {
    this.forget();
    return this.times.length / (kWindowMs / 1000);
  }

  private forget(): void {
    const oldest = performance.now() - kWindowMs;
    while (this.times.length > 0 && this.times[0]! < oldest) this.times.shift();
  }
}
