import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { readDataFile } from '../../host/data-file.ts'
import { AsyncLocalStorage } from 'node:async_hooks'

export interface KeptAnswer {
  text: string
  etag: string | null
  /** Last confirmed, Unix ms. */
  at: number
}

export interface CacheLimits {
  files: number
  bytes: number
}
const LIMITS: CacheLimits = { files: 500, bytes: 128 * 1024 * 1024 }
const SWEEP_EVERY = 50
const HALF_AGE_MS = 60 * 60_000

const Head = z.object({
  url: z.string(),
  etag: z.string().max(1000).nullable(),
  at: z.number(),
  sha256: z.string(),
})

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** One file per answer: a line of JSON, then the text. A full disk only costs more requests. */
export class DiskCache {
  readonly #folder: string
  readonly #limits: CacheLimits
  #writes = 0

  constructor(folder: string, limits: CacheLimits = LIMITS) {
    this.#folder = folder
    this.#limits = limits
  }

  async read(url: string, mostBytes: number): Promise<KeptAnswer | null> {
    try {
      const whole = await readDataFile(this.#file(url), mostBytes + 4096)
      const end = whole?.indexOf('\n') ?? -1
      if (whole === null || end < 0) return null
      const head = Head.parse(JSON.parse(whole.slice(0, end)))
      const text = whole.slice(end + 1)
      if (head.url !== url || head.sha256 !== sha256(text)) return null
      return { text, etag: head.etag, at: head.at }
    } catch {
      return null
    }
  }

  /** Never rejects. */
  async write(url: string, { text, etag, at }: KeptAnswer): Promise<void> {
    const head = JSON.stringify({ url, etag, at, sha256: sha256(text) } satisfies z.infer<typeof Head>)
    const file = this.#file(url)
    const fresh = `${file}.${randomUUID()}.new`
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      if (this.#writes++ % SWEEP_EVERY === 0) await this.#sweep()
      await writeFile(fresh, `${head}\n${text}`, { mode: 0o600, flag: 'wx' })
      await rename(fresh, file)
    } catch {
      await rm(fresh, { force: true }).catch(() => {})
    }
  }

  #file(url: string): string {
    return path.join(this.#folder, `${sha256(url)}.answer`)
  }

  async #sweep(): Promise<void> {
    const names = await readdir(this.#folder)
    const found = await Promise.all(
      names.map(async (name) => {
        const file = path.join(this.#folder, name)
        const stats = await stat(file).catch(() => null)
        return { file, size: stats?.size ?? 0, at: stats?.mtimeMs ?? 0 }
      }),
    )
    // Young ones may still be being written.
    const half = found.filter(({ file, at }) => file.endsWith('.new') && Date.now() - at > HALF_AGE_MS)
    const known = found.filter(({ file }) => file.endsWith('.answer'))
    let bytes = 0
    const old = known
      .sort((a, b) => b.at - a.at)
      .filter(({ size }, index) => (bytes += size) > this.#limits.bytes || index >= this.#limits.files)
    const gone = [...half, ...old]
    await Promise.all(gone.map(({ file }) => rm(file, { force: true })))
  }
}

const ages = new AsyncLocalStorage<{ mostMs: number | null }>()

/** Also returns the age in ms of the oldest cached answer used because a catalog was unreachable. */
export async function withAge<T>(ask: () => Promise<T>): Promise<{ value: T; ageMs: number | null }> {
  const age = { mostMs: null as number | null }
  const value = await ages.run(age, ask)
  return { value, ageMs: age.mostMs }
}

export async function answerWithAge<T>(
  c: { header(name: string, value: string): void },
  ask: () => Promise<T>,
): Promise<T> {
  const { value, ageMs } = await withAge(ask)
  // Whole seconds (RFC 9111); 0 would mean current.
  if (ageMs !== null) c.header('Age', String(Math.max(1, Math.round(ageMs / 1000))))
  return value
}

/** Reports a cached answer to `withAge`. @param ms its age */
export function noteKept(ms: number): void {
  const age = ages.getStore()
  if (age) age.mostMs = Math.max(age.mostMs ?? 0, ms)
}
