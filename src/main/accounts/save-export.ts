import { myAccount } from '../../contract/areas/my-account.ts'
import { say } from '../../contract/messages/say.ts'
import type { ApiClient } from '../api/client.ts'
import { problem } from '../base/problem.ts'
import type { TransferRoom } from '../transfers/transfers.ts'

/**
 * Saves all that a service holds of an account as it answers it, known to the contract or not: it is the person's own. No
 * part of it is kept anywhere else.
 */
export async function saveExport(
  client: ApiClient,
  transfers: Pick<TransferRoom, 'saveHere'>,
): Promise<{ path: string }> {
  const { json } = await client.raw(myAccount.export, {})
  if (json === null || typeof json !== 'object')
    throw problem('incompatible', say('account.no-export'), { detail: 'body' })
  // A host may hold what no file name may, such as the colons of IPv6.
  const host = new URL(client.baseUrl).hostname.replaceAll(/[^a-z0-9.-]+/gi, '-')
  return { path: await transfers.saveHere(`account-${host}.json`, `${JSON.stringify(json, null, 2)}\n`) }
}
