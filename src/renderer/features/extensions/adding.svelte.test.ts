import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { TransferState } from '../../../contract/bridge/transfer-values.ts'
import { movingIn } from '../../core/moving-in.svelte.ts'
import { notices } from '../../ui/feedback/notices.svelte.ts'
import { button, open, refused, sent, told, way } from './extensions.fixture.ts'

const calls = (name: string) => way.called.filter((one) => one.name === name)
const said = () => notices().map(({ text, more }) => [text(), more?.() ?? ''])

/** How far the only transfer is, as main tells it. */
function transfer(state: TransferState | null): void {
  const items = state === null ? [] : [{ id: 'transfer-1', state }]
  way.send('transfers', { items } as never)
}

/** The plugins of a server of a service that takes jars in; what it answers once they are there. */
async function openTaking(items: object[] = []): Promise<void> {
  way.answer('send servers.begin-import', () => ({ ok: true, value: { id: 'i1', state: 'waiting' } }))
  way.answer('send servers.remove-import', () => ({ ok: true, value: undefined }))
  way.answer('send extensions.adopt', () => ({ ok: true, value: { items } as never }))
  way.answer('transfers.list', () => ({ ok: true, value: { items: [] } as never }))
  way.answer('transfers.clear', () => ({ ok: true, value: undefined }))
  await open()
}

const pick = (...names: string[]) =>
  userEvent.upload(
    page.getByLabelText('Add from file…').last(),
    names.map((name) => new File(['x'], name)),
  )

describe('jars from this computer', () => {
  it('are sent beside the server and added there together', async () => {
    await openTaking([
      { id: 'a', name: 'Mine', kind: 'plugin', problems: [] },
      { id: 'b', name: 'Other', kind: 'plugin' },
    ])
    await pick('Mine.jar', 'Other.JAR')
    await expect.poll(() => way.uploaded).toHaveLength(1)
    expect(way.uploaded[0]).toMatchObject({ to: { connectionId: 'c', serverId: 'i1', folder: '' } })
    expect(calls('send servers.begin-import')[0]?.input).toMatchObject({ query: { for: 'extension' } })
    // In the list of transfers it is on its way to the server that it is for.
    expect(movingIn.get('i1')).toBe('Meadow')
    transfer('running')
    transfer('failed')
    // Sent again, it goes on.
    transfer('running')
    expect(sent('adopt')).toEqual([])
    const before = calls('view extensions.list').length
    transfer('done')
    await expect
      .poll(() => sent('adopt'))
      .toMatchObject([
        { params: { serverId: 's' }, body: { importId: 'i1', names: ['Mine.jar', 'Other.JAR'] } },
      ])
    await expect.poll(said).toEqual([['2 added', '']])
    await expect.poll(() => calls('view extensions.list').length).toBeGreaterThan(before)
    expect(calls('transfers.clear')).toHaveLength(1)
    expect(movingIn.has('i1')).toBe(false)
    transfer('done')
    expect(sent('adopt')).toHaveLength(1)
  })

  it('are added with what is wrong with them, and of a library among mods it is said that nobody knows', async () => {
    told.status = 'online'
    await openTaking([
      { id: 'a', name: 'Lithium', kind: 'mod', problems: [{ kind: 'wrong-software', name: 'fabric' }] },
      { id: 'b', name: 'core', kind: null },
    ])
    await pick('a.jar')
    await expect.poll(() => way.uploaded).toHaveLength(1)
    transfer('done')
    const start = 'This takes effect at the next start.'
    await expect
      .poll(() => said().sort())
      .toEqual([
        ['Lithium added', `Made for Fabric · ${start}`],
        ['core added', `Nothing in the file says that it is a plugin or mod · ${start}`],
      ])
  })

  it.each(['cancelled', null] as const)('are let go of where sending them ends as %s', async (state) => {
    await openTaking()
    await pick('Mine.jar')
    await expect.poll(() => way.uploaded).toHaveLength(1)
    transfer('running')
    transfer(state)
    await expect.poll(() => calls('send servers.remove-import')).toHaveLength(1)
    expect(sent('adopt')).toEqual([])
    expect(movingIn.has('i1')).toBe(false)
  })

  it('that the service refuses are let go of, and it is said why', async () => {
    await openTaking()
    way.answer('send extensions.adopt', () => refused('Nothing was added, because “Mine.jar” is not a jar.'))
    await pick('Mine.jar')
    await expect.poll(() => way.uploaded).toHaveLength(1)
    transfer('done')
    await expect.poll(() => said().flat().join(' ')).toContain('“Mine.jar” is not a jar')
    await expect.poll(() => calls('send servers.remove-import')).toHaveLength(1)
  })

  it.each(['unavailable', 'invalid'] as const)(
    'go into the folder of plugins where the service cannot add them (%s)',
    async (code) => {
      await openTaking()
      way.answer('send servers.begin-import', () => ({
        ok: false,
        problem: { code, message: '', retryable: false },
      }))
      await pick('Mine.jar')
      await expect.poll(() => way.uploaded).toHaveLength(1)
      expect(way.uploaded[0]).toMatchObject({ to: { serverId: 's', folder: 'plugins' } })
      const before = calls('view extensions.list').length
      transfer('failed')
      await expect.poll(() => calls('view extensions.list').length).toBeGreaterThan(before)
      expect(sent('adopt')).toEqual([])
    },
  )

  it('are nothing but jars, and only for who may change extensions', async () => {
    await openTaking()
    await pick('notes.txt')
    await expect.poll(said).toEqual([[expect.stringMatching(/\.jar/), '']])
    expect(way.uploaded).toEqual([])
  })

  it('cannot be added by somebody who may not change extensions', async () => {
    told.role = ['server.read', 'extensions.read', 'files.write']
    await openTaking()
    await expect.element(button('Add from file…')).toHaveAttribute('aria-disabled', 'true')
  })
})
