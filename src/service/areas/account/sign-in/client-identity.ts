import { createHmac } from 'node:crypto'
import { addressGroup, networkOf } from '../../../base/client-address.ts'
import type { Store } from '../../../store/store.ts'
import type { Waiter } from './fair-queue.ts'

/** Who asks something about an account, before they have shown who they are. */
export interface ClientIdentity {
  email: string
  /** The id the account has, or would have. */
  accountId: string
  /** What is counted as one address. */
  group: string
  /** The address as this account's rows have it. */
  addressHash: string
  /** Whether this account was signed in to from this address before. */
  known: boolean
  /** Key of what is counted for one email and one address. */
  pair: string
  /** Key of what is counted for one email and the network that the address is in. */
  network: string
  /** Where they wait. It goes by the address alone: with an account or without, a stranger waits for as long. */
  waiter: Waiter
}

/** The id an email has or would have: registering twice answers the same, whether it did anything or not. */
export const accountIdOf = (key: Buffer, email: string): string =>
  createHmac('sha256', key).update(`account:${email}`).digest('base64url').slice(0, 22)

/**
 * An address as an account's row keeps it. It is another one for each account, and nothing without the store's key. An
 * address being known gives no right: it is only not counted together with strangers.
 */
const addressHashOf = (key: Buffer, accountId: string, group: string): string =>
  createHmac('sha256', key).update(`address:${accountId}:${group}`).digest('base64url')

export function clientOf(
  store: Pick<Store, 'accounts' | 'key'>,
  email: string,
  address: string,
): ClientIdentity {
  const group = addressGroup(address)
  const accountId = accountIdOf(store.key, email)
  const addressHash = addressHashOf(store.key, accountId, group)
  const known = store.accounts.knows(accountId, addressHash)
  const waiter: Waiter = { lane: known ? 'known' : 'stranger', group }
  return {
    email,
    accountId,
    group,
    addressHash,
    known,
    pair: `${group} ${email}`,
    network: `${networkOf(address)} ${email}`,
    waiter,
  }
}

/** Where those wait who have shown that they are this account's owner, by a token or a code. */
export const ownerWaiter = (accountId: string): Waiter => ({ lane: 'known', group: `account ${accountId}` })
