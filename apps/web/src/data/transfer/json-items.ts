import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import { Tokenizer, TokenType } from '@streamparser/json'

/** The position of a value: keys and indices from the outermost value inwards. */
export type Path = readonly (string | number)[]
export type Kind = 'object' | 'array' | 'scalar'
/** item: deliver the value as a whole. enter: visit its members. skip: ignore it. */
export type Handling = 'item' | 'enter' | 'skip'

export type ItemHandlers = {
  /** Called at the start of each value that is not inside an item or skipped. */
  handlingOf: (path: Path, kind: Kind) => Handling
  onItem: (path: Path, value: unknown) => void
}

type Container = unknown[] | Record<string, unknown>
type Frame = { isArray: boolean; key: string | number; handling: Handling; built: Container | undefined }
type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'nothing'

/**
 * Parses JSON of any size in chunks and delivers the chosen values one by one. Nothing else is kept, and the size and
 * depth of a value are limited. Delivered objects have no prototype. Throws transfer.invalid for invalid JSON,
 * transfer.too-large beyond a limit.
 */
export class JsonItems {
  private readonly tokenizer = new Tokenizer()
  private readonly stack: Frame[] = []
  private expected: Expected = 'value'
  private key = ''
  /** The number of values in the item that is being built. */
  private values = 0
  private bytesSinceItem = 0

  /** `budget`: for the whole file, which may have several parts. */
  constructor(
    private readonly handlers: ItemHandlers,
    private readonly budget: ValueBudget,
  ) {
    this.tokenizer.onToken = ({ token, value }) => this.onToken(token, value)
    this.tokenizer.onError = (error) => {
      throw error
    }
  }

  write(bytes: Uint8Array): void {
    this.bytesSinceItem += bytes.byteLength
    // An endless string would otherwise fill the memory.
    if (this.bytesSinceItem > webLimits.transfer.maxItemBytes) throw new AppError('transfer.too-large')
    orInvalid(() => this.tokenizer.write(bytes))
  }

  end(): void {
    orInvalid(() => this.tokenizer.end())
    if (this.expected !== 'nothing') throw new AppError('transfer.invalid')
  }

  private onToken(token: TokenType, value: unknown): void {
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
        this.advance('colon', 'value')
        break
      case TokenType.COMMA:
        this.separate()
        break
      case TokenType.STRING:
        if (this.expected === 'key' || this.expected === 'key-or-end') this.name(String(value))
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

  private advance(expected: Expected, next: Expected): void {
    if (this.expected !== expected) throw new AppError('transfer.invalid')
    this.expected = next
  }

  private separate(): void {
    const top = this.stack.at(-1)
    if (!top) throw new AppError('transfer.invalid')
    this.advance('comma-or-end', top.isArray ? 'value' : 'key')
    if (typeof top.key === 'number') top.key++
  }

  private name(key: string): void {
    if (key === '__proto__') throw new AppError('transfer.invalid')
    this.key = key
    this.expected = 'colon'
  }

  private open(isArray: boolean): void {
    this.expectValue()
    if (this.stack.length >= webLimits.transfer.maxDepth) throw new AppError('transfer.too-large')
    const handling = this.handlingHere(isArray ? 'array' : 'object')
    const built: Container | undefined = handling === 'item' ? (isArray ? [] : Object.create(null)) : undefined
    this.stack.push({ isArray, key: isArray ? 0 : '', handling, built })
    this.expected = isArray ? 'value-or-end' : 'key-or-end'
  }

  private close(isArray: boolean): void {
    const top = this.stack.at(-1)
    const mayEnd = this.expected === 'comma-or-end' || this.expected === (isArray ? 'value-or-end' : 'key-or-end')
    if (top?.isArray !== isArray || !mayEnd) throw new AppError('transfer.invalid')
    this.stack.pop()
    this.finish(top.handling, top.built)
  }

  private scalar(value: unknown): void {
    this.expectValue()
    this.finish(this.handlingHere('scalar'), value)
  }

  private expectValue(): void {
    if (this.expected !== 'value' && this.expected !== 'value-or-end') throw new AppError('transfer.invalid')
    const top = this.stack.at(-1)
    if (top && !top.isArray) top.key = this.key
  }

  /** How to handle the value that starts here: inside an item or a skipped value, like that one. */
  private handlingHere(kind: Kind): Handling {
    this.budget.spend()
    const around = this.stack.at(-1)?.handling ?? 'enter'
    if (around !== 'item') {
      this.values = 0
      this.bytesSinceItem = 0
    } else if (++this.values > webLimits.transfer.maxItemValues) throw new AppError('transfer.too-large')
    return around === 'enter' ? this.handlers.handlingOf(this.path(), kind) : around
  }

  private finish(handling: Handling, value: unknown): void {
    const top = this.stack.at(-1)
    this.expected = top ? 'comma-or-end' : 'nothing'
    if (handling !== 'item') return
    if (top?.built === undefined) this.handlers.onItem(this.path(), value)
    else if (Array.isArray(top.built)) top.built.push(value)
    else top.built[String(top.key)] = value
  }

  private path(): Path {
    return this.stack.map(({ key }) => key)
  }
}

/** Limits the number of values in a file: empty ones need next to no bytes, and each takes time, even a skipped one. */
export class ValueBudget {
  /** The number of values read so far. */
  used = 0
  private readonly allowed: number

  constructor(fileBytes: number) {
    this.allowed = Math.max(webLimits.transfer.valuesFrom, fileBytes * webLimits.transfer.maxValueRatio)
  }

  spend(): void {
    if (++this.used > this.allowed) throw new AppError('transfer.too-large')
  }
}

/** Maps the tokenizer's errors to transfer.invalid. */
function orInvalid(action: () => void): void {
  try {
    action()
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('transfer.invalid', { cause: error })
  }
}
