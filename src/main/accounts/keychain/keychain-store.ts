import type { KeychainStatus } from '../../../contract/bridge/values.ts'
import type { SecretResult, SecretStore } from '../secret-store.ts'
import { KeychainHealth, locked } from './keychain-health.ts'
import { KeychainLine } from './keychain-line.ts'
import type { KeychainChild } from './protocol.ts'

export interface KeychainStoreOptions {
  startChild: () => KeychainChild
  /** Per operation, in ms; 5 s by default. */
  limitMs?: number
  idleMs?: number
}

/** Tokens in the system keychain, through keytar in a child process started on demand. Falls back to memory. */
export function keychainStore(options: KeychainStoreOptions): SecretStore {
  const line = new KeychainLine({
    startChild: options.startChild,
    limitMs: options.limitMs ?? 5000,
    idleMs: options.idleMs ?? 10_000,
  })
  const health = new KeychainHealth(line)
  const memory = new Map<string, string>()

  return {
    async read(id): Promise<SecretResult> {
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
      // The probe may have unlocked the keyring.
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

const silentBy = ({ kind, reason }: KeychainStatus): SecretResult => ({
  kind: 'silent',
  reason: reason ?? locked.reason,
  ...(kind === 'missing' && { missing: true }),
})
