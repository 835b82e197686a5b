/** Reads BCS, the encoding of the Sui chain; throws RangeError where the bytes end too soon or too late. */
export class BcsReader {
  private at = 0
  constructor(private readonly bytes: Uint8Array) {}

  take(length: number): Uint8Array {
    if (this.at + length > this.bytes.length) throw new RangeError('too short')
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }
  byte(): number {
    return this.take(1)[0] ?? 0
  }
  u16(): number {
    return this.byte() + 256 * this.byte()
  }
  /** A length: of more than two bytes there is none in what is read here. */
  length(): number {
    const low = this.byte()
    if (low < 128) return low
    const high = this.byte()
    if (high > 127 || high === 0) throw new RangeError('too long')
    return low - 128 + 128 * high
  }
  /** Bytes with their length before them. */
  sized(): Uint8Array {
    return this.take(this.length())
  }
  list<T>(read: () => T, most: number): T[] {
    const length = this.length()
    if (length > most) throw new RangeError('too many')
    return Array.from({ length }, read)
  }
  /** The next byte has to be this one. */
  expect(byte: number): void {
    if (this.byte() !== byte) throw new RangeError('something else')
  }
  end(): void {
    if (this.at !== this.bytes.length) throw new RangeError('too long')
  }
}

/** A length as BCS has it. */
export function uleb128(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...uleb128(Math.floor(value / 128))]
}
