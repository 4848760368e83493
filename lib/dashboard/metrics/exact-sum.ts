import Big from 'big.js';

/**
 * A sum of decimal numbers in Postgres' text form, exact whatever their digits are. Thousands of them are added up for one
 * answer: whole numbers with a common scale take a tenth of the time that `Big` does.
 */
export class ExactSum {
  #units = 0n;
  /** Digits after the point in `#units`. */
  #scale = 0;

  /** Adds an amount such as `-12.030`. */
  add(text: string): void {
    const point = text.indexOf('.');
    if (point < 0) this.#addUnits(BigInt(text), 0);
    else this.#addUnits(BigInt(text.slice(0, point) + text.slice(point + 1)), text.length - point - 1);
  }

  addSum(other: ExactSum): void {
    this.#addUnits(other.#units, other.#scale);
  }

  subtractSum(other: ExactSum): void {
    this.#addUnits(-other.#units, other.#scale);
  }

  get isZero(): boolean {
    return this.#units === 0n;
  }

  toNumber(): number {
    return Number(this.toFixed());
  }

  toBig(): Big {
    return new Big(this.toFixed());
  }

  /** Without an exponent and trailing zeros: `12.03`. */
  toFixed(): string {
    const sign = this.#units < 0n ? '-' : '';
    const digits = String(this.#units < 0n ? -this.#units : this.#units).padStart(this.#scale + 1, '0');
    const whole = digits.slice(0, digits.length - this.#scale);
    const part = digits.slice(digits.length - this.#scale).replace(/0+$/, '');
    return `${sign}${whole}${part && `.${part}`}`;
  }

  #addUnits(units: bigint, scale: number): void {
    if (scale === this.#scale) {
      this.#units += units;
    } else if (scale < this.#scale) {
      this.#units += units * 10n ** BigInt(this.#scale - scale);
    } else {
      this.#units = this.#units * 10n ** BigInt(scale - this.#scale) + units;
      this.#scale = scale;
    }
  }
}
