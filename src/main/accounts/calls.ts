import { api } from '../../contract/areas/index.ts'
import { LOCAL_ID } from './connection-records.ts'
import type { Connections } from './connections.ts'
import { problem } from '../base/problem.ts'
import type { AreaHandlers } from '../bridge/handlers.ts'
import type { LocalService } from '../local/local-service.ts'
import type { Network } from '../api/requests/transport.ts'
import { hostKey, recognized } from './host-requesters.ts'
import { machineCalls } from './machine-calls.ts'
import type { KeptPowerLines } from './power-lines.ts'
import type { WriteSender } from '../views/writes.ts'
import type { Ports } from '../base/ports.ts'
import type { TransferManager } from '../transfers/transfers.ts'
import { myAccount } from '../../contract/areas/my-account.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import type { ApiClient } from '../api/client.ts'

/** For a line that stops a game, which saves its world first. */
const POWER_LINE_MS = 100_000

export interface AccountDependencies {
  ports: Ports
  dispatcher: Network
  connections: Connections
  local: LocalService
  writes: WriteSender
  transfers: Pick<TransferManager, 'saveHere'>
  powerLines: KeptPowerLines
}

export function connectionCalls({
  ports,
  dispatcher,
  connections,
  local,
  writes,
  transfers,
  powerLines,
}: AccountDependencies): AreaHandlers<'connections' | 'account' | 'promocodes'> {
  const thisComputer = async (restore = false) => {
    if (ports.local.kind === 'not-here')
      throw problem('local-failed', ports.local.reason, { retryable: false })
    await local.start(restore)
    return connections.get(LOCAL_ID)
  }
  return {
    'connections.list': () => connections.list(),
    'connections.this-computer': () => thisComputer(),
    'connections.restore-this-computer': () => thisComputer(true),
    'connections.sign-in': (input) => connections.entry.signIn(input),
    'connections.recognize': ({ baseUrl }) => recognized(baseUrl, dispatcher),
    'connections.host-key': ({ baseUrl }) => hostKey(baseUrl, dispatcher),
    'connections.use-token': (input) => connections.entry.useToken(input),
    'connections.sign-out': ({ connectionId, everywhere }) => connections.signOut(connectionId, everywhere),
    'connections.rename': ({ connectionId, name }) => connections.change(connectionId, { name }),
    'connections.set-console-origin': ({ connectionId, origin }) =>
      connections.change(connectionId, { consoleOrigin: origin || undefined }),
    'connections.set-plain-rcon': ({ connectionId, isAllowed }) =>
      connections.change(connectionId, { plainRcon: isAllowed || undefined }),
    'connections.retry': ({ connectionId }) =>
      connectionId === LOCAL_ID && !local.running ? thisComputer() : connections.retry(connectionId),

    ...machineCalls(connections),
    'connections.power-lines': ({ connectionId }) => powerLines.of(connectionId),
    'connections.set-power-lines': ({ connectionId, lines }) =>
      powerLines.set(connections.get(connectionId).id, lines),
    'connections.run-power-line': async ({ action, line, ...at }) => {
      if ((await powerLines.of(at.connectionId))[action] !== line)
        throw problem('refused', localized('power-line.changed'))
      const input = { params: { serverId: at.serverId }, body: { action } }
      await writes.send(api.servers.power, at, input, { headMs: POWER_LINE_MS })
    },

    'account.google-offered': ({ baseUrl }) => connections.google.offered(baseUrl),
    'account.begin-google': ({ baseUrl }) => connections.google.begin(baseUrl),
    'account.reopen-google': ({ id }) => connections.google.reopen(id),
    'account.finish-google': (input) => connections.google.finish(input),
    'account.cancel-google': ({ id }) => connections.google.cancel(id),

    'account.register': (input) => connections.entry.register(input),
    'account.confirm': (input) => connections.entry.confirm(input),
    'account.resend': (input) => connections.entry.resend(input),
    'account.forgot': (input) => connections.entry.forgot(input),
    'account.reset': (input) => connections.reset(input),
    'account.update-password': (input) => connections.updatePassword(input),
    'account.save-export': ({ connectionId }) => saveExport(connections.client(connectionId), transfers),
    'promocodes.activate': ({ code, ...at }) => writes.send(api.promocodes.activate, at, { body: { code } }),
    'account.begin-second-factor': ({ currentPassword, ...at }) =>
      writes.send(api.secondFactor.begin, at, { body: { currentPassword } }),
    'account.turn-on-second-factor': ({ code, ...at }) =>
      writes.send(api.secondFactor.turnOn, at, { body: { code } }),
    'account.turn-off-second-factor': ({ code, currentPassword, ...at }) =>
      writes.send(api.secondFactor.turnOff, at, { body: { currentPassword } }, { secondFactor: code }),
    'account.unlink-identity': ({ code, currentPassword, identityId, ...at }) =>
      writes.send(
        api.googleSignIn.unlink,
        at,
        { params: { identityId }, body: { currentPassword } },
        { secondFactor: code },
      ),
  }
}

/** Saves the account's export exactly as the service sent it, including unknown fields. No other copy is kept. */
async function saveExport(
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
