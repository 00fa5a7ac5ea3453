import type { Clock } from '../base/retry.ts'
import type { Log } from '../logging/log.ts'
import type { LiveConnection } from './live-connection.ts'
import type { SecretStore } from './secret-store.ts'

/** A sign-in waits this long for the keychain; after that the token is stored in the background. */
const KEYCHAIN_PATIENCE_MS = 1500

export class KeptTokens {
  readonly #ports: { secrets: SecretStore; clock: Clock; log: Log }
  readonly #writing = new Map<string, Promise<void>>()

  constructor(ports: { secrets: SecretStore; clock: Clock; log: Log }) {
    this.#ports = ports
  }

  async keep(live: LiveConnection, token: string): Promise<void> {
    const { secrets, clock } = this.#ports
    const { id } = live.identity
    const writing = (this.#writing.get(id) ?? Promise.resolve())
      .then(() => secrets.write(id, token))
      .then((kept) => {
        if (live.holds(token)) live.kept(kept)
      })
      .finally(() => {
        if (this.#writing.get(id) === writing) this.#writing.delete(id)
      })
    this.#writing.set(id, writing)
    const enough = new AbortController()
    const patience = clock.sleep(KEYCHAIN_PATIENCE_MS, enough.signal).catch(() => {})
    await Promise.race([writing, patience])
    enough.abort()
  }

  async forget(connectionId: string): Promise<void> {
    // Otherwise a token still being written would outlive its connection.
    await this.#writing.get(connectionId)
    const gone = await this.#ports.secrets.clear(connectionId)
    if (!gone) this.#ports.log.warn('The keychain did not confirm that a token is gone.', { connectionId })
  }
}
