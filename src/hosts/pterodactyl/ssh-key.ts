import { createHash } from 'node:crypto'
import { z } from 'zod'
import { HostRefusal, type HostSecrets } from '../base/adapter.ts'
import type { Caller } from '../base/body.ts'
import { newSshKey } from '../base/new-ssh-key.ts'
import { SshKey } from './answers.ts'
import { jsonOf } from './machine-secrets.ts'
import type { PanelApi } from './panel-api.ts'

const KEYS = '/account/ssh-keys'
const NAME = 'Wheelhouse'

const OwnKey = z.object({ privateKey: z.string(), publicKey: z.string() })
type OwnKey = z.output<typeof OwnKey>

/** A key of this connection alone, which opens its servers' files over SSH. */
export class PanelSshKey {
  readonly #api: PanelApi
  readonly #secrets: HostSecrets
  #registered: Promise<boolean> | null = null

  constructor(api: PanelApi, secrets: HostSecrets) {
    this.#api = api
    this.#secrets = secrets
  }

  /** Whether the panel has it; not where there is no keychain, or keys aren't taken. */
  registered(caller: Caller): Promise<boolean> {
    const registered = (this.#registered ??= this.#register(caller))
    registered.catch(() => (this.#registered = null))
    return registered
  }

  /** It may have been removed at the panel since. */
  lookAgain(): void {
    this.#registered = null
  }

  async remove(caller: Caller): Promise<void> {
    const own = await this.#kept()
    if (!own) return
    const fingerprint = fingerprintOf(own.publicKey)
    try {
      await this.#api.send(`${KEYS}/remove`, caller, { method: 'POST', json: { fingerprint } })
    } catch (error) {
      if (!(error instanceof HostRefusal)) throw error
      // Pelican.
      await this.#api.send(`${KEYS}/${encodeURIComponent(fingerprint)}`, caller, { method: 'DELETE' })
    }
  }

  async privateKey(): Promise<string | null> {
    return (await this.#kept())?.privateKey ?? null
  }

  async #register(caller: Caller): Promise<boolean> {
    const kept = await this.#kept()
    const own = kept ?? newKey()
    if (!kept && !(await this.#secrets.write('ssh-key', JSON.stringify(own)))) return false
    try {
      const { items } = await this.#api.page(KEYS, SshKey, caller)
      const ours = fingerprintOf(own.publicKey)
      if (!items.some(({ fingerprint }) => fingerprint === ours))
        await this.#api.send(KEYS, caller, {
          method: 'POST',
          json: { name: NAME, public_key: own.publicKey },
        })
      return true
    } catch (error) {
      if (error instanceof HostRefusal && REFUSED.has(error.status)) return false
      throw error
    }
  }

  async #kept(): Promise<OwnKey | null> {
    return OwnKey.safeParse(jsonOf(await this.#secrets.read('ssh-key'))).data ?? null
  }
}

/** By a panel that has no such keys, or doesn't take this one. */
const REFUSED: ReadonlySet<number> = new Set([400, 403, 404, 405, 422])

function newKey(): OwnKey {
  const { private: privateKey, public: publicKey } = newSshKey(NAME)
  return { privateKey, publicKey }
}

/** As panels show it: without `SHA256:`. */
const fingerprintOf = (publicKey: string): string =>
  createHash('sha256')
    .update(Buffer.from(publicKey.split(' ')[1] ?? '', 'base64'))
    .digest('base64')
    .replace(/=+$/, '')
