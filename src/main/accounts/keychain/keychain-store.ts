import { randomBytes } from 'node:crypto'
import type { KeychainStatus } from '../../../contract/bridge/values.ts'
import { say } from '../../../contract/messages/say.ts'
import type { SecretRead, SecretStore } from '../secret-store.ts'
import { KeychainLine, type KeychainOutcome } from './keychain-line.ts'
import type { KeychainChild, KeychainFault } from './protocol.ts'

export interface KeychainStoreOptions {
  startChild: () => KeychainChild
  /** For one operation of the keychain, ms; 5 s unless given. */
  limitMs?: number
  /** After which an idle child is ended, ms; 10 s unless given. */
  idleMs?: number
}

const reasons: Record<KeychainFault, KeychainStatus> = {
  'no-keytar': {
    kind: 'missing',
    reason: say('keychain.not-installed'),
  },
  'no-bus': {
    kind: 'missing',
    reason: say('keychain.no-bus'),
  },
  'no-keyring': {
    kind: 'missing',
    reason: say('keychain.no-keyring'),
  },
  other: {
    kind: 'missing',
    reason: say('keychain.unusable'),
  },
}
const locked = {
  kind: 'locked',
  reason: say('keychain.locked'),
} as const satisfies KeychainStatus

/**
 * Tokens in the system's keychain through keytar, which runs in a child process. Where the keychain fails a token stays
 * in memory. Nothing is started before the first question.
 */
export function keychainStore(options: KeychainStoreOptions): SecretStore {
  const line = new KeychainLine({
    startChild: options.startChild,
    limitMs: options.limitMs ?? 5000,
    idleMs: options.idleMs ?? 10_000,
  })
  const memory = new Map<string, string>()
  const listeners = new Set<(status: KeychainStatus) => void>()
  let status: KeychainStatus = { kind: 'unknown', reason: null }
  let probing: Promise<KeychainStatus> | null = null

  function now(next: KeychainStatus): KeychainStatus {
    const changed = next.kind !== status.kind || next.reason !== status.reason
    status = next
    if (changed) for (const listener of [...listeners]) listener(status)
    return status
  }

  const worse = (outcome: Exclude<KeychainOutcome, { kind: 'done' }>) =>
    now(outcome.kind === 'silent' ? locked : reasons[outcome.fault])

  /** A get that answers null can mean a locked keyring, so only set, get and delete together show a working one. */
  async function tryOut(): Promise<KeychainStatus> {
    const account = `probe-${randomBytes(6).toString('hex')}`
    const secret = randomBytes(12).toString('hex')
    const set = await line.ask({ do: 'set', account, secret })
    if (set.kind !== 'done') return worse(set)
    const got = await line.ask({ do: 'get', account })
    const gone = await line.ask({ do: 'delete', account })
    if (got.kind !== 'done') return worse(got)
    if (gone.kind !== 'done') return worse(gone)
    return now(got.value === secret ? { kind: 'ok', reason: null } : locked)
  }

  function probe(): Promise<KeychainStatus> {
    probing ??= tryOut().finally(() => {
      probing = null
    })
    return probing
  }

  return {
    async read(id): Promise<SecretRead> {
      const held = memory.get(id)
      if (held !== undefined) return { kind: 'found', token: held, kept: 'memory' }
      const got = await line.ask({ do: 'get', account: id })
      if (got.kind !== 'done') return { kind: 'silent', reason: worse(got).reason ?? locked.reason }
      if (got.value !== null) {
        now({ kind: 'ok', reason: null })
        return { kind: 'found', token: got.value, kept: 'keychain' }
      }
      const known = await probe()
      if (known.kind !== 'ok') return { kind: 'silent', reason: known.reason ?? locked.reason }
      // The probe may itself have unlocked the keyring.
      const again = await line.ask({ do: 'get', account: id })
      if (again.kind !== 'done') return { kind: 'silent', reason: worse(again).reason ?? locked.reason }
      return again.value === null
        ? { kind: 'absent' }
        : { kind: 'found', token: again.value, kept: 'keychain' }
    },

    async write(id, token) {
      const set = await line.ask({ do: 'set', account: id, secret: token })
      const got = set.kind === 'done' ? await line.ask({ do: 'get', account: id }) : set
      if (got.kind === 'done' && got.value === token) {
        memory.delete(id)
        now({ kind: 'ok', reason: null })
        return 'keychain'
      }
      if (got.kind === 'done') now(locked)
      else worse(got)
      memory.set(id, token)
      return 'memory'
    },

    async clear(id) {
      const onlyHere = memory.delete(id) && status.kind !== 'ok'
      const gone = await line.ask({ do: 'delete', account: id })
      if (gone.kind !== 'done') worse(gone)
      return onlyHere || gone.kind === 'done'
    },

    status: () => status,
    probe,
    onStatus(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close() {
      line.end()
      memory.clear()
    },
  }
}
