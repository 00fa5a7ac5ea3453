import { beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { main, names, open, row } from '../files-tab.fixture.ts'

const title = (name: string) => page.getByRole('dialog', { name: `Delete “${name}”?` })
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

beforeEach(() => {
  main.status = 'online'
  main.settings = 'level-name=b2.txt\n'
  main.answer('send servers.power', () => ({ ok: true, value: { accepted: true } }))
})

const statusBecomes = (status: 'offline' | 'stopping') => {
  main.status = status
  main.send('view', {
    ...{ view: 'servers.status', connectionId: 'c', params: { serverId: 's' }, query: {} },
    now: { value: { status }, asOf: new Date().toISOString(), stale: false, problem: null },
  })
}

describe('the world of a running server', () => {
  it('is not deleted by one press, and is where the server stopped first', async () => {
    await open()
    await row('b2.txt').click()
    await userEvent.keyboard('{Delete}')
    await expect
      .element(title('b2.txt'))
      .toMatchTextContent(/Meadow is running\. Stop it first, or its world may be damaged\./)
    await press('Cancel')
    await expect.poll(() => title('b2.txt').query()).toBeNull()
    await userEvent.keyboard('{Delete}')
    await press('Stop and delete')
    await expect.poll(() => main.inputs('send servers.power')).toMatchObject([{ body: { action: 'stop' } }])
    statusBecomes('stopping')
    expect(main.inputs('files.remove')).toEqual([])
    statusBecomes('offline')
    await expect.poll(names).toEqual(['world', 'b10.txt', 'server.properties'])
    expect(title('b2.txt').query()).toBeNull()
  })

  it('is not stopped a second time where it stops already, and the question can be taken back', async () => {
    main.status = 'stopping'
    await open()
    await row('b2.txt').click()
    await userEvent.keyboard('{Delete}')
    await press('Stop and delete')
    await press('Cancel')
    statusBecomes('offline')
    await expect.poll(() => title('b2.txt').query()).toBeNull()
    expect(main.inputs('send servers.power')).toEqual([])
    expect(main.inputs('files.remove')).toEqual([])
  })

  it('is only told of to whom may not stop the server', async () => {
    main.role = ['files.read', 'files.write', 'files.delete']
    await open()
    await row('b2.txt').click()
    await userEvent.keyboard('{Delete}')
    await expect.element(title('b2.txt')).toBeVisible()
    expect(page.getByRole('button', { name: 'Stop and delete' }).query()).toBeNull()
  })

  it('does not keep other files, nor itself once the server is off', async () => {
    await open()
    await row('b10.txt').click()
    await userEvent.keyboard('{Delete}')
    await expect.poll(names).toEqual(['world', 'b2.txt', 'server.properties'])
    statusBecomes('offline')
    await row('b2.txt').click()
    await userEvent.keyboard('{Delete}')
    await expect.poll(names).toEqual(['world', 'server.properties'])
  })
})
