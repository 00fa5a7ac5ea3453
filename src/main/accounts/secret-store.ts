import type { KeychainStatus } from '../../contract/bridge/values.ts'
import type { Stop } from '../../contract/bridge/bridge.ts'
import type { LocalizedText } from '../../contract/messages/localized-text.ts'

/** Silence is not absence: a locked keyring does not respond at all. */
export type SecretResult =
  | { kind: 'found'; token: string; kept: 'keychain' | 'memory' }
  | { kind: 'absent' }
  /** The keychain does not respond or cannot be used. `missing`: there is none. */
  | { kind: 'silent'; reason: LocalizedText; missing?: boolean }

/** Tokens by connection id. Never in a file: without a keychain they live in memory. No method rejects. */
export interface SecretStore {
  read(id: string): Promise<SecretResult>
  write(id: string, token: string): Promise<'keychain' | 'memory'>
  /** False if the keychain did not confirm. */
  clear(id: string): Promise<boolean>
  /** Last known status; `unknown` before the first use. Never waits. */
  status(): KeychainStatus
  /** Sets, gets and deletes a dummy value. */
  probe(): Promise<KeychainStatus>
  onStatus(listener: (status: KeychainStatus) => void): Stop
  /** Tokens in memory are lost. */
  close(): void
}

export function memoryStore(reason: string): SecretStore {
  const tokens = new Map<string, string>()
  const status: KeychainStatus = { kind: 'missing', reason: { message: reason } }
  return {
    read: async (id) => {
      const token = tokens.get(id)
      return token === undefined ? { kind: 'absent' } : { kind: 'found', token, kept: 'memory' }
    },
    write: async (id, token) => {
      tokens.set(id, token)
      return 'memory'
    },
    clear: async (id) => {
      tokens.delete(id)
      return true
    },
    status: () => status,
    probe: async () => status,
    onStatus: () => () => {},
    close: () => tokens.clear(),
  }
}
