import { expect, it } from 'vitest'
import { lateDispatcher } from './late-dispatcher.ts'
import { listen, reply } from '../test-listener.ts'
import { exchange, type Sent } from './transport.ts'

const asked = (baseUrl: string): Sent => ({
  url: new URL(baseUrl),
  method: 'GET',
  headers: {},
  signal: new AbortController().signal,
  headMs: 5000,
  silenceMs: 5000,
})

it('sends what is asked of it before its code is there, several at once too', async () => {
  await using listener = await listening()
  const dispatcher = lateDispatcher({})
  const answers = await Promise.all([1, 2, 3].map(() => exchange(dispatcher, asked(listener.baseUrl))))
  for (const { status, body } of answers) {
    expect(status).toBe(200)
    body.resume()
  }
  await dispatcher.destroy()
})

it('sends nothing once it is destroyed, whether it was used before or not', async () => {
  await using listener = await listening()
  const unused = lateDispatcher({})
  const used = lateDispatcher({})
  ;(await exchange(used, asked(listener.baseUrl))).body.resume()
  const before = listener.seen.length
  for (const dispatcher of [unused, used]) {
    await dispatcher.destroy()
    await expect(exchange(dispatcher, asked(listener.baseUrl))).rejects.toMatchObject({
      code: 'UND_ERR_DESTROYED',
    })
  }
  expect(listener.seen.length).toBe(before)
})

it('ends what was asked while its code still came', async () => {
  await using listener = await listening()
  const dispatcher = lateDispatcher({})
  const answer = exchange(dispatcher, asked(listener.baseUrl))
  const refused = expect(answer).rejects.toMatchObject({ code: 'UND_ERR_DESTROYED' })
  await dispatcher.destroy()
  await refused
  expect(listener.seen.length).toBe(0)
})

it('whose code does not come refuses what is asked of it, and ends all the same', async () => {
  const dispatcher = lateDispatcher({
    get envProxy(): boolean {
      throw new Error('Part of the panel is missing.')
    },
  })
  await expect(exchange(dispatcher, asked('http://127.0.0.1:1'))).rejects.toThrow('missing')
  await dispatcher.destroy()
})

const listening = () => listen((_request, response) => reply(response, 200, {}))
