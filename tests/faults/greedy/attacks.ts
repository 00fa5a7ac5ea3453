import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { attacksByShape } from './attacks-by-shape.ts'
import { attacksOnPeople } from './attacks-on-people.ts'
import { attacksOnPlayers } from './attacks-on-players.ts'
import { type Hands, type Reply, told } from './hands.ts'
import { makeWorld, manyFields, zerosBehind, zipOf } from './bombs.ts'

/** One way to ask for more than one's share. */
export interface Attack {
  name: string
  /** Done by who has no account. */
  byStranger?: boolean
  /** How long it goes on in the long form, in ms; like all others unless given. */
  longMs?: number
  /** What lies in the server's folder before. `long`: as much as makes it bad. */
  prepare?: (folder: string, long: boolean) => Promise<void>
  /** Goes on until `until` (`performance.now()`), and says what came of it. */
  act: (hands: Hands, until: number) => Promise<string>
}

/**
 * Requests in one piece. Node makes an object of each before anybody can end the connection, 10 µs each: beyond some
 * hundred thousand a second that alone fills a processor.
 */
const PIPELINED = 400

/** Asks for a job again and again, until the time is over; what still runs then is canceled. */
async function jobs(hands: Hands, until: number, act: () => Promise<Reply>): Promise<string> {
  const counts = await hands.again(8, until, async () => {
    const reply = await act()
    await new Promise((resolve) => setTimeout(resolve, 20))
    return reply
  })
  const { body } = await hands.ask('GET', '/servers/files/jobs/:id')
  for (const id of body.matchAll(/"id":"([^"]+)"/g))
    await hands.ask('POST', '/servers/files/cancel/:id', { id: id[1] })
  return told(counts)
}

const extract = (path: string) => (hands: Hands, until: number) =>
  jobs(hands, until, () =>
    hands.ask('POST', '/servers/files/extract/:id', { path, to: 'out', conflict: 'keep-both' }),
  )

const makeFolder = async (folder: string, long: boolean) => {
  const count = long ? 50_000 : 20_000
  mkdirSync(join(folder, 'many'), { recursive: true })
  for (let at = 0; at < count; at++)
    writeFileSync(join(folder, 'many', `${(at * 7919) % count} a file of many.txt`), '')
}

export const attacks: Attack[] = [
  {
    name: 'requests of a stranger, with long paths',
    byStranger: true,
    act: async (hands, until) => {
      const path = `/servers/${'x'.repeat(8000)}`
      return told(await hands.again(100, until, () => hands.ask('GET', path)))
    },
  },
  {
    name: 'many requests in each piece of a connection, by a stranger',
    byStranger: true,
    act: async (hands, until) => {
      const piece = 'GET /api/v1/x HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(PIPELINED)
      let sent = 0
      while (performance.now() < until) {
        const sockets = Array.from({ length: 10 }, () => hands.raw(piece))
        sent += sockets.length * PIPELINED
        await new Promise((resolve) => setTimeout(resolve, 50))
        for (const socket of sockets) socket.destroy()
      }
      return `${sent} sent`
    },
  },
  {
    name: 'the document of the interface, by a stranger',
    byStranger: true,
    act: async (hands, until) => told(await hands.again(50, until, () => hands.ask('GET', '/openapi.json'))),
  },
  {
    name: 'bodies of a stranger that are all brackets, commas and long words',
    byStranger: true,
    act: async (hands, until) => {
      const bodies = [
        `{"email":${'['.repeat(500_000)}`,
        `{"email":"${'a.'.repeat(250_000)}@","password":"x"}`,
        `{${Array.from({ length: 60_000 }, (_, at) => `"k${at}":1`).join(',')}}`,
      ]
      let at = 0
      return told(
        await hands.again(16, until, () => hands.ask('POST', '/auth/login', bodies[at++ % bodies.length])),
      )
    },
  },
  {
    name: 'connections that say nothing, or only half',
    byStranger: true,
    act: async (hands, until) => {
      let open = 0
      for (; open < 1500; open++) {
        hands.raw(
          open % 2 === 0 ? 'GET /api/v1/servers HTTP/1.1\r\nHos' : 'POST /api/v1/auth/login HTTP/1.1\r\n',
        )
        if (open % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 10))
      }
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, until - performance.now())))
      return `${open} opened`
    },
  },
  {
    name: 'one search through all text',
    prepare: (folder, long) => makeWorld(folder, 600, long ? 400 : 80),
    act: async (hands, until) =>
      told(await hands.again(1, until, () => hands.ask('GET', '/servers/files/search/:id?text=nowhere%20b'))),
  },
  {
    name: 'eight searches at once',
    act: async (hands, until) =>
      told(await hands.again(8, until, () => hands.ask('GET', '/servers/files/search/:id?text=nowhere%20b'))),
  },
  {
    name: 'sixty searches at once, let go again',
    act: async (hands, until) => {
      while (performance.now() < until) {
        await hands.again(60, Math.min(until, performance.now() + 300), () =>
          hands.ask('GET', '/servers/files/search/:id?text=nowhere%20b'),
        )
        hands.letGo()
      }
      return 'let go'
    },
  },
  {
    name: 'a zip with long comments',
    prepare: (folder, long) =>
      zipOf(
        join(folder, 'comments.zip'),
        names(long ? 9000 : 3000, (at) => `f${at}`),
        65_000,
      ),
    act: extract('comments.zip'),
  },
  {
    name: 'a zip with names that are all slashes',
    prepare: (folder) =>
      zipOf(
        join(folder, 'slashes.zip'),
        names(60, (at) => `${'/'.repeat(60_000)}${at}`),
        0,
      ),
    act: extract('slashes.zip'),
  },
  {
    name: 'zeros behind the end of a tar',
    prepare: (folder, long) => zerosBehind(join(folder, 'zeros.tar.gz'), (long ? 60 : 4) * 1024 ** 3),
    act: extract('zeros.tar.gz'),
  },
  {
    name: 'a tar with a field for everything',
    prepare: (folder) => manyFields(join(folder, 'fields.tar.gz'), 5000),
    act: extract('fields.tar.gz'),
  },
  {
    name: 'packing, as often as it is let',
    act: (hands, until) => {
      let at = 0
      return jobs(hands, until, () =>
        hands.ask('POST', '/servers/files/archive/:id', {
          paths: ['world'],
          to: `packed-${at++}.zip`,
          format: at % 2 ? 'zip' : 'tar.gz',
        }),
      )
    },
  },
  {
    name: 'copies of a tree, sixteen at once',
    act: async (hands, until) => {
      let at = 0
      return told(
        await hands.again(16, until, () =>
          hands.ask('POST', '/servers/files/copy/:id', {
            items: [{ from: 'world/0', to: `copies/${at++}` }],
          }),
        ),
      )
    },
  },
  {
    name: 'a large folder, forty at once',
    prepare: makeFolder,
    act: async (hands, until) =>
      told(await hands.again(40, until, () => hands.ask('GET', '/servers/files/:id?path=many&limit=50000'))),
  },
  {
    name: 'moves of a thousand things, sixteen at once',
    act: async (hands, until) => {
      const items = Array.from({ length: 1000 }, (_, at) => ({
        from: `world/${at % 20}/${at % 600}.txt`,
        to: `world/${at % 20}/../${at}`,
      }))
      const back = Array.from({ length: 1000 }, (_, at) => ({ from: `no/thing/${at}`, to: `else/${at}` }))
      let at = 0
      return told(
        await hands.again(16, until, () =>
          hands.ask('POST', '/servers/files/move/:id', { items: at++ % 2 ? items : back }),
        ),
      )
    },
  },
  {
    name: 'deletions of a thousand files, four at once',
    act: async (hands, until) => {
      let lane = 0
      return told(
        await hands.again(4, until, () => {
          const from = (lane++ % 20) * 1000
          const paths = Array.from({ length: 1000 }, (_, at) => `many/${from + at} a file of many.txt`)
          return hands.ask('POST', '/servers/files/delete/:id', { paths })
        }),
      )
    },
  },
  {
    name: 'the trash, read by twenty',
    act: async (hands, until) =>
      told(await hands.again(20, until, () => hands.ask('GET', '/servers/files/trash/:id'))),
  },
  {
    name: 'bodies that are wrong a hundred thousand times',
    act: async (hands, until) => {
      const body = `{"paths":[${Array.from({ length: 340_000 }, () => '""').join(',')}]}`
      return told(await hands.again(4, until, () => hands.ask('POST', '/servers/files/delete/:id', body)))
    },
  },
  {
    name: 'names of servers that are a megabyte long',
    act: async (hands, until) => {
      const body = { name: 'e\u0301'.repeat(300_000), software: { id: 'demo', version: '1' }, memoryMb: 512 }
      return told(await hands.again(4, until, () => hands.ask('POST', '/servers', body)))
    },
  },
  {
    name: 'begun uploads',
    act: async (hands, until) => {
      let at = 0
      const path = () => Buffer.from(`begun/${at++}`).toString('base64')
      return told(
        await hands.again(16, until, () =>
          hands.ask('POST', '/servers/files/upload/:id', undefined, {
            'Tus-Resumable': '1.0.0',
            'Upload-Length': '1000000',
            'Upload-Metadata': `path ${path()},note ${Buffer.alloc(6000, 'x').toString('base64')}`,
          }),
        ),
      )
    },
  },
  {
    name: 'servers, as many as it is let',
    act: async (hands, until) => {
      const { body } = await hands.ask('GET', '/software/demo/versions')
      const version = (JSON.parse(body) as { items: { id: string }[] }).items[0]?.id
      const server = { name: 'One more', software: { id: 'demo', version }, memoryMb: 512 }
      return told(await hands.again(8, until, () => hands.ask('POST', '/servers', server)))
    },
  },
  {
    name: 'changes of the configuration',
    act: async (hands, until) => {
      let at = 0
      return told(
        await hands.again(16, until, () =>
          hands.ask('PATCH', '/servers/config/:id', { name: `Name ${at++}` }, { 'If-Match': '*' }),
        ),
      )
    },
  },
  ...attacksOnPlayers,
  ...attacksOnPeople,
  ...attacksByShape,
  {
    name: 'event streams that are never read',
    act: async (hands, until) => {
      const sockets = Array.from({ length: 300 }, () =>
        hands
          .raw(
            `GET /api/v1/servers/events?servers=${hands.serverId} HTTP/1.1\r\nHost: x\r\n` +
              `Authorization: Bearer ${hands.token}\r\n\r\n`,
          )
          .pause(),
      )
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, until - performance.now())))
      return `${sockets.length} opened`
    },
  },
  {
    name: 'streams of the account that are opened anew again and again, and notifications that are marked',
    act: async (hands, until) =>
      told(
        await hands.again(16, until, async () => {
          const socket = hands.raw(
            `GET /api/v1/users/me/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${hands.token}\r\n\r\n`,
          )
          const ids = Array.from({ length: 200 }, (_, at) => `n${at}`)
          const marked = await hands.ask('POST', '/notifications/read', { ids })
          await hands.ask('PATCH', '/notifications/settings', { mutedServers: ids })
          socket.destroy()
          return marked
        }),
      ),
  },
]

function* names(count: number, of: (at: number) => string): Generator<string> {
  for (let at = 0; at < count; at++) yield of(at)
}
