import type { KeychainStatus } from '../../../contract/bridge/values.ts'
import type { SecretRead, SecretStore } from '../secret-store.ts'
import { KeychainHealth, locked } from './keychain-health.ts'
import { KeychainLine } from './keychain-line.ts'
import type { KeychainChild } from './protocol.ts'

export interface KeychainStoreOptions {
  startChild: () => KeychainChild
  /** For one operation of the keychain, ms; 5 s unless given. */
  limitMs?: number
  /** After which an idle child is ended, ms; 10 s unless given. */
  idleMs?: number
}

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
  const health = new KeychainHealth(line)
  const memory = new Map<string, string>()

  return {
    async read(id): Promise<SecretRead> {
      const held = memory.get(id)
      if (held !== undefined) return { kind: 'found', token: held, kept: 'memory' }
      const got = await line.ask({ do: 'get', account: id })
      if (got.kind !== 'done') return silentBy(health.fails(got))
      if (got.value !== null) {
        health.works()
        return { kind: 'found', token: got.value, kept: 'keychain' }
      }
      const known = await health.probe()
      if (known.kind !== 'ok') return silentBy(known)
      // The probe may itself have unlocked the keyring.
      const again = await line.ask({ do: 'get', account: id })
      if (again.kind !== 'done') return silentBy(health.fails(again))
      return again.value === null
        ? { kind: 'absent' }
        : { kind: 'found', token: again.value, kept: 'keychain' }
    },

    async write(id, token) {
      const set = await line.ask({ do: 'set', account: id, secret: token })
      const got = set.kind === 'done' ? await line.ask({ do: 'get', account: id }) : set
      if (got.kind === 'done' && got.value === token) {
        memory.delete(id)
        health.works()
        return 'keychain'
      }
      if (got.kind === 'done') health.isLocked()
      else health.fails(got)
      memory.set(id, token)
      return 'memory'
    },

    async clear(id) {
      const onlyHere = memory.delete(id) && health.status.kind !== 'ok'
      const gone = await line.ask({ do: 'delete', account: id })
      if (gone.kind !== 'done') health.fails(gone)
      return onlyHere || gone.kind === 'done'
    },

    status: () => health.status,
    probe: () => health.probe(),
    onStatus: (listener) => health.onStatus(listener),
    close() {
      line.end()
      memory.clear()
    },
  }
}

const silentBy = ({ kind, reason }: KeychainStatus): SecretRead => ({
  kind: 'silent',
  reason: reason ?? locked.reason,
  ...(kind === 'missing' && { missing: true }),
})
