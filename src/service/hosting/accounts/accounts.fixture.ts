import { setImmediate } from 'node:timers/promises'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { pino } from 'pino'
import { Refusal } from '../../../host/refusal.ts'
import { heldClock, temporaryFolder } from '../../service.fixture.ts'
import { openStore } from '../../store/store.ts'
import { createAccounts } from './accounts.ts'
import { type LimitChanges, Limiter } from '../../http/limits/limiter.ts'
import { LIMITS } from '../../http/limits/limits.ts'
import type { Mail } from '../mail/mail.ts'
import { createPasswords, type Passwords } from './sign-in/passwords.ts'

/** Passwords whose every piece of work, once done, waits until it is told to go on: the test decides who is next. */
export class HeldPasswords implements Passwords {
  readonly #real = createPasswords({ log2N: 4, r: 8, p: 1 })
  readonly #held: (() => void)[] = []
  #working = 0

  hash: Passwords['hash'] = (...given) => this.#hold(() => this.#real.hash(...given))
  verify: Passwords['verify'] = (...given) => this.#hold(() => this.#real.verify(...given))

  get held(): number {
    return this.#held.length
  }

  /** Lets one of those that wait go on. */
  release(index: number): void {
    this.#held.splice(index, 1)[0]?.()
  }

  /** Resolves when everything that can go on has gone as far as it can. */
  async settled(): Promise<void> {
    for (let quiet = 0; quiet < 6; quiet++) {
      await setImmediate()
      if (this.#working > 0) quiet = 0
    }
  }

  async #hold<T>(work: () => Promise<T>): Promise<T> {
    this.#working += 1
    const value = await work().finally(() => (this.#working -= 1))
    await new Promise<void>((resolve) => this.#held.push(resolve))
    return value
  }
}

/** Real accounts over a real store, whose mail is read at once. */
export async function openAccounts<P extends Passwords>(
  passwords: P,
  limits: LimitChanges = UNLIMITED,
  onMail: (mail: Mail) => void = () => {},
) {
  const clock = heldClock()
  const store = await openStore(path.join(await temporaryFolder(), 'service.db'), { clock })
  onTestFinished(() => store.close())
  const accounts = createAccounts({
    signInsEnded: () => undefined,
    store,
    clock,
    passwords,
    log: pino({ enabled: false }),
    limiter: new Limiter(() => clock.elapsed(), limits),
    outbox: { ready: async () => {}, send: async (mail) => onMail(mail), feign: async () => {} },
  })
  return { accounts, store, clock, passwords }
}

/** 204, or the status it was refused with. */
export const statusOf = (work: Promise<unknown>): Promise<number> =>
  work.then(
    () => 204,
    (error: unknown) => {
      if (error instanceof Refusal) return error.status
      throw error
    },
  )

/** The code in a mail. */
export const codeIn = (mail: Mail): string => /^ {4}(\d{6})$/m.exec(mail.text)?.[1] ?? ''

const UNLIMITED: LimitChanges = Object.fromEntries(
  Object.keys(LIMITS).map((name) => [name, { points: 1e6, seconds: 3600 }]),
)
