import { metaOf } from './server.ts'

/** What a page holds that the panel has let in. */
export interface PageSession {
  origin: string
  cookie: string
  key: string
  /** Headers of a request that brings files. */
  headers: { cookie: string; origin: string; authorization: string }
  /** What a socket is opened with: protocols and headers, as `ws` takes them. */
  socket: [protocols: string[], options: { headers: { cookie: string; origin: string } }]
}

/** Tests only: follows the printed address as a browser does, and keeps what its page would. */
export async function letIn(address: string): Promise<PageSession> {
  const { origin } = new URL(address)
  const answer = await fetch(address)
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const key = metaOf(await answer.text(), 'page-key') ?? ''
  if (cookie === '' || key === '') throw new Error(`${origin} did not let in: ${answer.status}`)
  return {
    origin,
    cookie,
    key,
    headers: { cookie, origin, authorization: `Bearer ${key}` },
    socket: [['wheelhouse', key], { headers: { cookie, origin } }],
  }
}
