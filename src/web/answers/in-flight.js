/** How many requests of a read are in flight: more than usual where the host answers many at once, which is measured. */

/** Times as many requests in flight as the array has otherwise, at most, and most of all. */
const [TIMES, MOST] = [4, 128];

/** Gain in throughput by which a doubling of the requests in flight has proven worth it. */
const GAIN = 1.3;

/** Protocols that carry many requests on one connection. */
const MANY = /^h(2|3)/;

/** Protocols of one request at a time on each connection, of which browsers open six to a host. */
const FEW = /^http\/1|^http\/0/;

/**
 * Decides how many requests are in flight. Where the protocol is known, it decides alone; else the number is doubled as
 * long as a doubling brings more throughput.
 */
export class InFlight {
  /** @param {number} usual number that the array has in flight */
  constructor(usual) {
    this.usual = usual;
    this.count = usual;
    this.most = Math.max(usual, Math.min(usual * TIMES, MOST));
    /** Whether the number is settled. */
    this.isSettled = this.most < 2 * usual;
    /** Requests a millisecond with half the number. */
    this.before = 0;
  }

  /**
   * Learns from a batch.
   *
   * @param {{ requests: number, ms: number, protocol?: string }} batch requests that were sent, how long they took, and
   *   the protocol of one of them where the browser tells it
   */
  learn({ requests, ms, protocol = "" }) {
    if (this.isSettled) return;
    if (MANY.test(protocol) || FEW.test(protocol)) {
      this.count = MANY.test(protocol) ? this.most : this.usual;
      this.isSettled = true;
      return;
    }
    // A batch that did not keep them all busy for a while says nothing.
    if (requests < 2 * this.count || ms <= 0) return;
    const rate = requests / ms;
    const isWorth = rate >= GAIN * this.before;
    if (!isWorth) this.count /= 2;
    this.isSettled = !isWorth || this.count >= this.most;
    this.before = rate;
    if (!this.isSettled) this.count *= 2;
  }
}

/**
 * Watches by which protocol answers come, where the browser tells: of requests to the page's own origin, and of hosts that
 * send Timing-Allow-Origin.
 */
export class Protocols {
  #found = "";

  /** @param {Iterable<string>} keys ends of the addresses that count, or whole addresses, of a virtual store's files */
  constructor(keys) {
    this.keys = Array.from(keys, (key) => (key.includes("://") ? key.split(/[?#]/)[0] : key));
    const { PerformanceObserver } = globalThis;
    if (!PerformanceObserver?.supportedEntryTypes?.includes("resource")) return;
    this.observer = new PerformanceObserver((list) => this.#note(list.getEntries()));
    this.observer.observe({ type: "resource" });
  }

  #note(entries) {
    for (const { name, nextHopProtocol } of entries) {
      const path = name.split(/[?#]/)[0];
      if (nextHopProtocol && this.keys.some((key) => path.endsWith(key))) this.#found = nextHopProtocol;
    }
  }

  /** The protocol of the answers so far; empty where none is known. */
  get found() {
    this.#note(this.observer?.takeRecords() ?? []);
    return this.#found;
  }

  /** Ends the watch. */
  end() {
    this.observer?.disconnect();
  }
}
