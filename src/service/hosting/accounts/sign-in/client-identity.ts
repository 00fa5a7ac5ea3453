import { createHmac } from 'node:crypto'
import { addressGroup, networkOf } from '../../../base/client-address.ts'
import type { Store } from '../../../store/store.ts'
import type { Waiter } from './password-queue.ts'

export interface ClientIdentity {
  email: string
  accountId: string
  group: string
  addressHash: string
  /** Whether the account has signed in from this address. */
  known: boolean
  pair: string
  network: string
  /** Depends on the address only, so that wait times do not reveal accounts. */
  waiter: Waiter
}

/** Derived from the email, so that registering twice gives the same answer. */
export const accountIdOf = (key: Buffer, email: string): string =>
  createHmac('sha256', key).update(`account:${email}`).digest('base64url').slice(0, 22)

/**
 * Differs per account and is useless without the store's key. A known address grants nothing; it is only not counted
 * with strangers.
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

export const ownerWaiter = (accountId: string): Waiter => ({ lane: 'known', group: `account ${accountId}` })
