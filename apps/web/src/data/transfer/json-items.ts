import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { Tokenizer, TokenType } from '@streamparser/json'

/** Where a value stands: keys and indices from the outermost value inwards. */
export type Path = readonly (string | number)[]
export type Kind = 'object' | 'array' | 'scalar'
/** Hand the value over whole, look at its parts, or pass over it. */
export type Wish = 'item' | 'enter' | 'skip'

export type ItemHandlers = {
  /** Asked at the beginning of each value that is not inside an item or skipped. */
  wish: (path: Path, kind: Kind) => Wish
  onItem: (path: Path, value: unknown) => void
}

type Container = unknown[] | Record<string, unknown>
type Frame = { isArray: boolean; key: string | number; wish: Wish; built: Container | undefined }
type Next = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'nothing'

/**
 * Reads JSON of any size in pieces and hands over the values that are wanted, one by one. Nothing else is kept, and how large and deep a value may be is
 * limited. Objects that are handed over have no prototype. Throws transfer.invalid for what is no JSON, transfer.too-large for what is too much.
 */
export class JsonItems {
  private readonly tokenizer = new Tokenizer()
  private readonly stack: Frame[] = []
  private next: Next = 'value'
  private key = ''
  /** Of the item that is being built. */
  private values = 0
  private bytesSinceItem = 0

  /** `budget`: of the whole file, which may have several parts. */
  constructor(
    private readonly handlers: ItemHandlers,
    private readonly budget: ValueBudget,
  ) {
    this.tokenizer.onToken = ({ token, value }) => this.see(token, value)
    this.tokenizer.onError = (error) => {
      throw error
    }
  }

  write(bytes: Uint8Array): void {
    this.bytesSinceItem += bytes.byteLength
    // A string without end would otherwise grow until the memory is full.
    if (this.bytesSinceItem > limits.transfer.maxItemBytes) throw new AppError('transfer.too-large')
    orInvalid(() => this.tokenizer.write(bytes))
  }

  end(): void {
    orInvalid(() => this.tokenizer.end())
    if (this.next !== 'nothing') throw new AppError('transfer.invalid')
  }

  private see(token: TokenType, value: unknown): void {
    switch (token) {
      case TokenType.LEFT_BRACE:
        this.open(false)
        break
      case TokenType.LEFT_BRACKET:
        this.open(true)
        break
      case TokenType.RIGHT_BRACE:
        this.close(false)
        break
      case TokenType.RIGHT_BRACKET:
        this.close(true)
        break
      case TokenType.COLON:
        this.go('colon', 'value')
        break
      case TokenType.COMMA:
        this.separate()
        break
      case TokenType.STRING:
        if (this.next === 'key' || this.next === 'key-or-end') this.name(String(value))
        else this.scalar(value)
        break
      case TokenType.NUMBER:
      case TokenType.TRUE:
      case TokenType.FALSE:
      case TokenType.NULL:
        this.scalar(value)
        break
      case TokenType.SEPARATOR:
        throw new AppError('transfer.invalid')
    }
  }

  private go(expected: Next, next: Next): void {
    if (this.next !== expected) throw new AppError('transfer.invalid')
    this.next = next
  }

  private separate(): void {
    const top = this.stack.at(-1)
    if (!top) throw new AppError('transfer.invalid')
    this.go('comma-or-end', top.isArray ? 'value' : 'key')
    if (typeof top.key === 'number') top.key++
  }

  private name(key: string): void {
    if (key === '__proto__') throw new AppError('transfer.invalid')
    this.key = key
    this.next = 'colon'
  }

  private open(isArray: boolean): void {
    this.expectValue()
    if (this.stack.length >= limits.transfer.maxDepth) throw new AppError('transfer.too-large')
    const wish = this.place(isArray ? 'array' : 'object')
    const built: Container | undefined = wish === 'item' ? (isArray ? [] : Object.create(null)) : undefined
    this.stack.push({ isArray, key: isArray ? 0 : '', wish, built })
    this.next = isArray ? 'value-or-end' : 'key-or-end'
  }

  private close(isArray: boolean): void {
    const top = this.stack.at(-1)
    const mayEnd = this.next === 'comma-or-end' || this.next === (isArray ? 'value-or-end' : 'key-or-end')
    if (top?.isArray !== isArray || !mayEnd) throw new AppError('transfer.invalid')
    this.stack.pop()
    this.finish(top.wish, top.built)
  }

  private scalar(value: unknown): void {
    this.expectValue()
    this.finish(this.place('scalar'), value)
  }

  private expectValue(): void {
    if (this.next !== 'value' && this.next !== 'value-or-end') throw new AppError('transfer.invalid')
    const top = this.stack.at(-1)
    if (top && !top.isArray) top.key = this.key
  }

  /** What is to become of the value that begins here: inside an item or a skipped value, what becomes of that. */
  private place(kind: Kind): Wish {
    this.budget.take()
    const around = this.stack.at(-1)?.wish ?? 'enter'
    if (around !== 'item') {
      this.values = 0
      this.bytesSinceItem = 0
    } else if (++this.values > limits.transfer.maxItemValues) throw new AppError('transfer.too-large')
    return around === 'enter' ? this.handlers.wish(this.path(), kind) : around
  }

  private finish(wish: Wish, value: unknown): void {
    const top = this.stack.at(-1)
    this.next = top ? 'comma-or-end' : 'nothing'
    if (wish !== 'item') return
    if (top?.built === undefined) this.handlers.onItem(this.path(), value)
    else if (Array.isArray(top.built)) top.built.push(value)
    else top.built[String(top.key)] = value
  }

  private path(): Path {
    return this.stack.map(({ key }) => key)
  }
}

/** How many values a file may hold: empty ones take next to no place in it, and each costs time, also one that is passed over. */
export class ValueBudget {
  /** So many values were read. */
  used = 0
  private readonly allowed: number

  constructor(fileBytes: number) {
    this.allowed = Math.max(limits.transfer.valuesFrom, fileBytes * limits.transfer.maxValueRatio)
  }

  take(): void {
    if (++this.used > this.allowed) throw new AppError('transfer.too-large')
  }
}

/** What the tokenizer throws means that this is no JSON. */
function orInvalid(action: () => void): void {
  try {
    action()
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('transfer.invalid', { cause: error })
  }
}
