import { beforeEach, describe, expect, it } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { userEvent } from 'vitest/browser'
import type { Connection, DriftEntry } from '../../../../contract/bridge/values.ts'
import '../../../app/theme.css'
import { ScriptedBridge } from '../../../core/scripted-bridge.fixture.ts'
import { expectAccessible } from './accessible.fixture.ts'
import Differences from './Differences.svelte'
import { driftText } from './drift-text.ts'

const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'play.example', baseUrl: 'https://play.example/api/v1' },
  ...{ user: null, tokenKept: 'keychain', expiresAt: null, state: { kind: 'ready' } },
}
const place: DriftEntry = {
  ...{ operation: 'servers.list', method: 'GET', path: '/servers', field: 'items.[].id' },
  ...{ expected: 'text', found: 'number', foundAs: '_id', count: 31, since: '2026-01-01T00:00:00.000Z' },
}

let way: ScriptedBridge
let places: DriftEntry[]
let more: boolean

beforeEach(() => {
  places = [place, { ...place, field: 'items', foundAs: 'data', expected: 'list', found: 'list' }]
  more = false
  way = new ScriptedBridge({
    'service.drift': () => ({ ok: true, value: { places, more } }),
    'service.clear-drift': () => ({ ok: true, value: undefined }),
  })
  window.panel = way
})

describe('where a service differs', () => {
  it('is told and forgotten by hand', async () => {
    const { getByText, getByRole, container } = await render(Differences, { connection })
    await expect.element(getByText('This service answers differently in 2 places.')).toBeVisible()
    await expect.element(getByText('number, as “_id”')).toBeVisible()
    await expectAccessible(container)
    await userEvent.click(getByRole('button', { name: 'Clear list' }))
    await expect.element(getByText(/This service answers differently/)).not.toBeInTheDocument()
  })

  it('counts a place once, in however many ways it differs there, and requests apart', async () => {
    const request = { ...place, field: 'request.command', found: 'missing', foundAs: 'cmd' }
    places = [
      place,
      { ...place, foundAs: null },
      { ...place, expected: 'time', foundAs: null },
      request,
      { ...request, found: 'number' },
    ]
    const { getByText, container } = await render(Differences, { connection })
    await expect
      .element(
        getByText(
          'This service answers differently in 1 place. This service expects another name for 1 field of a request.',
        ),
      )
      .toBeVisible()
    expect(container.querySelectorAll('tbody th')).toHaveLength(2)
  })

  it('says that there may be more where no more are kept', async () => {
    more = true
    const { getByText } = await render(Differences, { connection })
    await expect.element(getByText('This service differs in 2 places or more.')).toBeVisible()
    expect(driftText(connection, { places, more })).toContain('There may be more')
  })

  it('shows nothing of a service that keeps to the contract', async () => {
    places = []
    const { getByText } = await render(Differences, { connection })
    await expect.poll(() => way.called.map(({ name }) => name)).toContain('service.drift')
    await expect.element(getByText('Differences')).not.toBeInTheDocument()
  })
})
