import { randomBytes } from 'node:crypto'
import type { KeychainStatus } from '../../../contract/bridge/values.ts'
import type { Stop } from '../../../contract/bridge/bridge.ts'
import { localized } from '../../../contract/messages/localized-text.ts'
import type { KeychainLine, KeychainOutcome } from './keychain-line.ts'
import type { KeychainFault } from './protocol.ts'

const reasons: Record<KeychainFault, KeychainStatus> = {
  'no-keytar': {
    kind: 'missing',
    reason: localized('keychain.not-installed'),
  },
  'no-bus': {
    kind: 'missing',
    reason: localized('keychain.no-bus'),
  },
  'no-keyring': {
    kind: 'missing',
    reason: localized('keychain.no-keyring'),
  },
  other: {
    kind: 'missing',
    reason: localized('keychain.unusable'),
  },
}
export const locked = {
  kind: 'locked',
  reason: localized('keychain.locked'),
} as const satisfies KeychainStatus

export class KeychainHealth {
  readonly #line: KeychainLine
  readonly #listeners = new Set<(status: KeychainStatus) => void>()
  #status: KeychainStatus = { kind: 'unknown', reason: null }
  #probing: Promise<KeychainStatus> | null = null

  constructor(line: KeychainLine) {
    this.#line = line
  }

  get status(): KeychainStatus {
    return this.#status
  }

  onStatus(listener: (status: KeychainStatus) => void): Stop {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  works(): KeychainStatus {
    return this.#now({ kind: 'ok', reason: null })
  }

  /** It replies but does not return what was stored. */
  isLocked(): KeychainStatus {
    return this.#now(locked)
  }

  fails(outcome: Exclude<KeychainOutcome, { kind: 'done' }>): KeychainStatus {
    return this.#now(outcome.kind === 'silent' ? locked : reasons[outcome.fault])
  }

  /** Sets, gets and deletes a dummy value. Concurrent calls share one probe. */
  probe(): Promise<KeychainStatus> {
    this.#probing ??= this.#tryOut().finally(() => {
      this.#probing = null
    })
    return this.#probing
  }

  /** A get that returns null can mean a locked keyring; only set, get and delete together prove it works. */
  async #tryOut(): Promise<KeychainStatus> {
    const account = `probe-${randomBytes(6).toString('hex')}`
    const secret = randomBytes(12).toString('hex')
    const set = await this.#line.ask({ do: 'set', account, secret })
    if (set.kind !== 'done') return this.fails(set)
    const got = await this.#line.ask({ do: 'get', account })
    const gone = await this.#line.ask({ do: 'delete', account })
    if (got.kind !== 'done') return this.fails(got)
    if (gone.kind !== 'done') return this.fails(gone)
    return got.value === secret ? this.works() : this.isLocked()
  }

  #now(next: KeychainStatus): KeychainStatus {
    const changed = next.kind !== this.#status.kind || next.reason !== this.#status.reason
    this.#status = next
    if (changed) for (const listener of [...this.#listeners]) listener(next)
    return next
  }
}
