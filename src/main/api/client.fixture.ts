import { ApiClient, type ApiClientOptions } from './client.ts'
import type { Clock } from '../base/retry.ts'
import { type TestResponder, listen, refusal, reply } from './test-listener.ts'
import { makeDispatcher } from './requests/transport.ts'

/** That of the process, which several files of tests share: it ends with it. */
export const dispatcher = makeDispatcher()

export const user = { id: 'u1', name: 'Ann', email: 'ann@example.com' }
export const server = (id: string) => ({ id, name: `Server ${id}`, status: 'online' })

/** A clock whose sleeps end at once and are written down. */
export function quickClock(): Clock & { slept: number[] } {
  const slept: number[] = []
  return {
    slept,
    now: () => 1_700_000_000_000,
    elapsed: () => 0,
    random: () => 1,
    sleep: async (ms) => void slept.push(ms),
  }
}

/** A service that knows the token `good` and answers the rest as the test says. */
export async function service(answering: TestResponder, options: Partial<ApiClientOptions> = {}) {
  const listener = await listen((request, response, raw) => {
    if (request.path !== '/users/me') return answering(request, response, raw)
    if (request.headers.authorization === 'Bearer good') reply(response, 200, user)
    else reply(response, 401, refusal('auth.required'))
  })
  const clock = quickClock()
  const client = new ApiClient({
    baseUrl: listener.baseUrl,
    dispatcher,
    clock,
    token: async () => 'good',
    ...options,
  })
  return { listener, client, clock, [Symbol.asyncDispose]: () => listener.stop() }
}
