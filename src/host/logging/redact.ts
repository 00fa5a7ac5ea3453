const GONE = '[redacted]'

const secretKey =
  /^(.*authorization|cookie|set-cookie|.*password|.*secret|.*token|code_?verifier|code_?challenge|state)$/i
/** `code` is a secret if it came by email or from a provider, but not if it names an error. */
const errorCode =
  /^(E[A-Z]{2,}[A-Z0-9]*|(ERR|UND|SQLITE|CERT|HPE|UNABLE|DEPTH|SELF)_[A-Z0-9_]+|[a-z]+(-[a-z]+)*(\.[a-z-]+)*)$/

const DEEPEST = 6
const LONGEST_LIST = 50
const MOST_FIELDS = 50
const LONGEST_TEXT = 1000
const LONGEST_STACK = 4000

/** Entry fields without those named like secrets. Errors become plain data. */
export function withoutSecrets(value: unknown, depth = 0): unknown {
  if (value instanceof Error) return describe(value, depth)
  if (value instanceof URL) return value.origin + value.pathname
  if (typeof value === 'string') return shortened(value, LONGEST_TEXT)
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value
  if (depth >= DEEPEST) return '[deeper]'
  if (Array.isArray(value)) return value.slice(0, LONGEST_LIST).map((one) => withoutSecrets(one, depth + 1))
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  const entries = value instanceof Map || value instanceof Headers ? [...value] : Object.entries(value)
  return Object.fromEntries(
    entries.slice(0, MOST_FIELDS).map(([key, inner]) => {
      const name = shortened(String(key), LONGEST_TEXT)
      const secret = secretKey.test(name) ? typeof inner === 'string' : name === 'code' && !isErrorCode(inner)
      return [name, secret ? GONE : withoutSecrets(inner, depth + 1)]
    }),
  )
}

const shortened = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, most)}… [${text.length} characters]` : text

const isErrorCode = (value: unknown) => typeof value === 'string' && errorCode.test(value)

function describe(fault: Error, depth: number): unknown {
  const { code, problem } = fault as { code?: unknown; problem?: unknown }
  return {
    type: fault.name,
    message: shortened(fault.message, LONGEST_TEXT),
    stack: fault.stack === undefined ? undefined : shortened(fault.stack, LONGEST_STACK),
    ...(isErrorCode(code) ? { code } : {}),
    ...(problem === undefined ? {} : { problem: withoutSecrets(problem, depth + 1) }),
    ...(fault.cause === undefined || depth >= DEEPEST
      ? {}
      : { cause: withoutSecrets(fault.cause, depth + 1) }),
  }
}

/** Redacts known secrets, and anything that looks like one, from log lines. */
export class Redactor {
  readonly #hidden = new Map<string, number>()
  #pattern: RegExp | null = null

  hide(secret: string): () => void {
    // Shorter ones would match parts of ordinary words.
    if (secret.length < 6) return () => {}
    const forms = formsOf(secret)
    for (const form of forms) this.#hidden.set(form, (this.#hidden.get(form) ?? 0) + 1)
    this.#pattern = null
    let stopped = false
    return () => {
      if (stopped) return
      stopped = true
      for (const form of forms) {
        const count = (this.#hidden.get(form) ?? 1) - 1
        if (count > 0) this.#hidden.set(form, count)
        else this.#hidden.delete(form)
      }
      this.#pattern = null
    }
  }

  clean(line: string): string {
    let text = line
    if (this.#hidden.size > 0) {
      this.#pattern ??= new RegExp(
        [...this.#hidden.keys()]
          .sort((a, b) => b.length - a.length)
          .map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
          .join('|'),
        'g',
      )
      text = text.replace(this.#pattern, GONE)
    }
    return (
      text
        .replace(/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi, `$1 ${GONE}`)
        // Bounded, so long text is scanned once. Queries and fragments can contain one-time codes; no entry needs them.
        .replace(/([a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'?#\\<>]{0,2000})[?#][^\s"'\\<>]+/gi, `$1?${GONE}`)
        .replace(/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s"'/@\\<>]+@/gi, `$1${GONE}@`)
    )
  }
}

function formsOf(secret: string): string[] {
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1)
  return [
    ...new Set([
      secret,
      // Entries are JSON and may contain JSON within JSON.
      inJson(secret),
      inJson(inJson(secret)),
      inJson(inJson(inJson(secret))),
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64').replace(/=+$/, ''),
      Buffer.from(secret).toString('base64url'),
    ]),
  ]
}
