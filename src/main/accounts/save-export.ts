import { myAccount } from '../../contract/areas/my-account.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import type { ApiClient } from '../api/client.ts'
import { problem } from '../base/problem.ts'
import type { TransferManager } from '../transfers/transfers.ts'

/** Saves the account's export exactly as the service sent it, including unknown fields. No other copy is kept. */
export async function saveExport(
  client: ApiClient,
  transfers: Pick<TransferManager, 'saveHere'>,
): Promise<{ path: string }> {
  const { json } = await client.raw(myAccount.export, {})
  if (json === null || typeof json !== 'object')
    throw problem('incompatible', localized('account.no-export'), { detail: 'body' })
  // Hosts may contain characters illegal in file names, such as IPv6 colons.
  const host = new URL(client.baseUrl).hostname.replaceAll(/[^a-z0-9.-]+/gi, '-')
  return { path: await transfers.saveHere(`account-${host}.json`, `${JSON.stringify(json, null, 2)}\n`) }
}
