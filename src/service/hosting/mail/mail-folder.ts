import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isoTime, type Clock } from '../../base/clock.ts'

const HIDDEN = /^\.room-[\da-f]{8}$|^\.\d.*-[\da-f]{8}\.(?:eml|json)$/
/** Bytes; more than any mail. */
const PROBE = Buffer.alloc(8 * 1024)

/** One file per mail, readable by this user only, written atomically. Names start with the time. */
export class MailFolder<M> {
  readonly folder: string
  readonly #ending: string
  readonly #clock: Clock
  readonly #format: (mail: M) => string | Promise<Buffer>
  #added = 0
  #leftOver: Promise<unknown> | null = null

  /** `ending` includes the dot. */
  constructor(
    folder: string,
    ending: '.eml' | '.json',
    clock: Clock,
    format: (mail: M) => string | Promise<Buffer>,
  ) {
    this.folder = folder
    this.#ending = ending
    this.#clock = clock
    this.#format = format
  }

  /** Rejects if no mail could be written. */
  async tryRoom(): Promise<void> {
    await this.#make()
    const probe = this.#unseen()
    try {
      await writeFile(probe, PROBE, { mode: 0o600, flag: 'wx' })
    } finally {
      await rm(probe, { force: true })
    }
  }

  /** Takes as long as `add` but keeps nothing, and programs watching the folder see nothing. */
  async feign(mail: M): Promise<void> {
    const content = await this.#format(mail)
    await this.#make()
    const [hidden, there] = [this.#unseen(), this.#unseen()]
    try {
      await writeFile(hidden, content, { mode: 0o600, flag: 'wx', flush: true })
      await rename(hidden, there)
    } finally {
      await rm(hidden, { force: true })
      await rm(there, { force: true })
    }
  }

  #unseen(): string {
    return path.join(this.folder, `.room-${randomBytes(4).toString('hex')}`)
  }

  async add(mail: M): Promise<string> {
    const content = await this.#format(mail)
    await this.#make()
    // Keeps order within a millisecond and avoids names of earlier runs.
    const order = (this.#added++ % 0x10000).toString(16).padStart(4, '0')
    const time = isoTime(this.#clock.now()).replaceAll(/[:.]/g, '-')
    const name = `${time}-${order}${randomBytes(2).toString('hex')}${this.#ending}`
    const hidden = path.join(this.folder, `.${name}`)
    await writeFile(hidden, content, { mode: 0o600, flag: 'wx', flush: true })
    await rename(hidden, path.join(this.folder, name))
    return name
  }

  /** Oldest first. */
  async names(): Promise<string[]> {
    await this.#make()
    return (await readdir(this.folder))
      .filter((name) => name.endsWith(this.#ending) && !name.startsWith('.'))
      .sort()
  }

  at(name: string): string {
    return path.join(this.folder, name)
  }

  async remove(name: string): Promise<void> {
    await rm(this.at(name), { force: true })
  }

  async keepNewest(most: number): Promise<void> {
    for (const name of (await this.names()).slice(0, -most)) await this.remove(name)
  }

  async #make(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    // Once, before this run writes anything.
    await (this.#leftOver ??= this.#removeLeftOver().catch(() => undefined))
  }

  async #removeLeftOver(): Promise<void> {
    for (const name of await readdir(this.folder)) if (HIDDEN.test(name)) await this.remove(name)
  }
}
