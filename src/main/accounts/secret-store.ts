import type { KeychainStatus } from '../../contract/bridge/values.ts'
import type { Stop } from '../../contract/bridge/bridge.ts'
import type { Said } from '../../contract/messages/say.ts'

/** What a look for a secret found. Silence is not absence: a locked keyring answers nothing at all. */
export type SecretRead =
  | { kind: 'found'; token: string; kept: 'keychain' | 'memory' }
  | { kind: 'absent' }
  /** The keychain does not answer or cannot be asked; `reason` says why. `missing`: there is none that could be. */
  | { kind: 'silent'; reason: Said; missing?: boolean }

/**
 * Where tokens are kept, by connection id. Never a file: where there is no keychain a token lives in memory until the
 * panel closes. No method rejects.
 */
export interface SecretStore {
  read(id: string): Promise<SecretRead>
  /** Keeps a token and says where it is now. */
  write(id: string, token: string): Promise<'keychain' | 'memory'>
  /** Forgets a token; false where the keychain did not confirm it. */
  clear(id: string): Promise<boolean>
  /** What is known now; `unknown` until the keychain was asked for the first time. Never waits. */
  status(): KeychainStatus
  /** Asks the keychain: sets, gets and deletes a value of no worth. */
  probe(): Promise<KeychainStatus>
  onStatus(listener: (status: KeychainStatus) => void): Stop
  /** Ends what the store started. Tokens in memory are gone afterwards. */
  close(): void
}

/** A store that keeps everything in memory and says why. For tests, and for systems without a keychain. */
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
