import type { HostSecretName, HostSecrets } from '../../hosts/base/adapter.ts'
import { hostKindOf } from '../../contract/rules/hosts.ts'
import type { Identity } from './identity.ts'
import type { SecretStore } from './secret-store.ts'

const entryOf = (connectionId: string, name: HostSecretName): string => `${name} ${connectionId}`

/** What an adapter keeps in the keychain for a connection. */
export const hostSecrets = (store: SecretStore, connectionId: string): HostSecrets => ({
  async read(name) {
    const found = await store.read(entryOf(connectionId, name))
    if (found.kind === 'silent') throw new Error(found.reason.message)
    return found.kind === 'found' ? found.token : null
  },
  async write(name, value) {
    const entry = entryOf(connectionId, name)
    if (value === null) return store.clear(entry)
    if ((await store.write(entry, value)) === 'keychain') return true
    await store.clear(entry)
    return false
  },
})

/** Never rejects. */
export async function forgetHostSecrets(
  store: SecretStore,
  { id, baseUrl }: Pick<Identity, 'id' | 'baseUrl'>,
  names: readonly HostSecretName[] = ['ssh-key', 'host-keys', 'machine-password'],
): Promise<void> {
  if (hostKindOf(baseUrl) !== 'pterodactyl') return
  await Promise.all(names.map((name) => store.clear(entryOf(id, name))))
}
