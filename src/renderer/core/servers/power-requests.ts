import type { PowerAction, Server, ServerRef } from '../../../contract/bridge/values.ts'
import { disconnects, mayWarn, powerWarning } from '../../../contract/rules/power.ts'
import { currentLanguage } from '../../messages/t.svelte.ts'
import { call, send } from '../bridge.ts'
import { panel } from '../panel.svelte.ts'
import { type PowerChoice, powerQuestion, setPowerQuestion } from './power-question.svelte.ts'

/** Asks once for all servers whose players would be disconnected. Null: do nothing. */
export function choosePower(action: PowerAction, servers: readonly Server[]): Promise<PowerChoice | null> {
  const remembered = panel.settings.playersOn
  const needs = servers.filter((server) => powerWarning(action, server, remembered) === 'ask')
  if (needs.length === 0 || action === 'start') return Promise.resolve(remembered === 'warn' ? 'warn' : 'now')
  powerQuestion()?.answer(null)
  return new Promise((resolve) => {
    setPowerQuestion({
      action,
      names: needs.map(({ name }) => name),
      players: needs.reduce((sum, server) => sum + disconnects(action, server), 0),
      mayWarn: action !== 'kill' && needs.every(mayWarn),
      answer(choice) {
        setPowerQuestion(null)
        resolve(choice)
      },
    })
  })
}

/** Warns where players are on and may be warned. Throws a `Problem`. */
export async function applyPower(
  { connectionId, serverId }: ServerRef,
  action: PowerAction,
  choice: PowerChoice,
  server: Server | null = panel.server(connectionId, serverId),
): Promise<'accepted' | 'refused' | 'warned'> {
  const isWarned = choice === 'warn' && server !== null && disconnects(action, server) > 0 && mayWarn(server)
  if (isWarned && (action === 'stop' || action === 'restart')) {
    const language = currentLanguage()
    await call('servers.begin-countdown', { connectionId, serverId, action, language })
    return 'warned'
  }
  const answer = await send('servers.power', { connectionId, params: { serverId }, body: { action } })
  return answer?.accepted === false ? 'refused' : 'accepted'
}

/** Asks first if players would be disconnected. Throws a `Problem`. */
export async function requestPower(
  ref: ServerRef,
  action: PowerAction,
  server: Server | null = panel.server(ref.connectionId, ref.serverId),
): Promise<void> {
  const choice = await choosePower(action, server ? [server] : [])
  if (choice) await applyPower(ref, action, choice, server)
}
