import { expect, test } from 'vitest'
import { answerJson, beginEvents } from '../../../tests/doubles/services/odd-service.ts'
import { panelAt } from './panel.fixture.ts'

test('sleep closes the streams, and waking opens them and reads anew', async () => {
  let opened = 0
  let closed = 0
  let lists = 0
  let notice = () => {}
  const until = (condition: () => boolean) =>
    new Promise<void>((resolve) => {
      notice = () => condition() && resolve()
      notice()
    })
  const stream: Parameters<typeof panelAt>[0][string] = (_request, response) => {
    opened++
    response.on('close', () => {
      closed++
      notice()
    })
    beginEvents(response)
    notice()
  }
  const { panel, view, connectionId } = await panelAt({
    'GET /users/me/events': stream,
    'GET /servers': (_request, response) => {
      lists++
      answerJson(response, { items: [{ id: 'a', name: 'A', status: 'online' }] })
      notice()
    },
  })
  await view('servers.list', { connectionId })
  await until(() => opened === 1)
  panel.sleep()
  await until(() => closed === 1)
  const before = { opened, lists }
  panel.wake()
  await until(() => opened === before.opened + 1)
  // Whatever was missed is read.
  await until(() => lists > before.lists)
  panel.sleep()
  await until(() => closed === 2)
  panel.wake()
  await until(() => opened === before.opened + 2)
  expect(closed).toBe(2)
})
