import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { Connection } from '../../../contract/bridge/values.ts'
import '../../app/theme.css'
import { notices } from '../../ui/feedback/notices.svelte.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import PlainRcon from './PlainRcon.svelte'

const connection: Connection = {
  ...{ id: 'c', kind: 'host', name: 'node.example.com', baseUrl: 'sftp://ann@node.example.com' },
  ...{ user: { name: 'ann', email: null }, tokenKept: 'keychain', expiresAt: null },
  state: { kind: 'ready' },
}
const box = () => page.getByRole('checkbox', { name: /send them without encryption/ })

let way: ScriptedBridge
beforeEach(() => {
  way = new ScriptedBridge({
    'connections.set-plain-rcon': ({ isAllowed }) => ({
      ok: true,
      value: { ...connection, ...(isAllowed && { plainRcon: true as const }) },
    }),
  })
  window.panel = way
})

it('allows commands without encryption, and says what that costs', async () => {
  await render(PlainRcon, { connection })
  await expect.element(box()).not.toBeChecked()
  await expect.element(box()).toHaveAccessibleDescription(/whoever has it controls the server/)
  await userEvent.click(box())
  await expect
    .poll(() => way.called.map(({ input }) => input))
    .toEqual([{ connectionId: 'c', isAllowed: true }])
  await expect.element(box()).toBeEnabled()
  await expect.element(box()).toBeChecked()
})

it('stays as it was where that could not be kept', async () => {
  const problem = { code: 'internal' as const, message: 'The disk is full.', retryable: false }
  way.answer('connections.set-plain-rcon', () => ({ ok: false, problem }))
  await render(PlainRcon, { connection: { ...connection, plainRcon: true } })
  await userEvent.click(box())
  await expect.poll(() => notices().length).toBe(1)
  await expect.element(box()).toBeChecked()
})
