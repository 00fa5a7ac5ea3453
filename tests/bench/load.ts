import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ENTRIES, firstScreen, inNewContext, measureLoad, toList, type Load } from './cold-page.ts'
import { benchManyServers } from './many-servers.ts'
import { createServers, type Bench } from './panel.ts'
import { inTurns, ratioOf } from './pairs.ts'
import { median, type Outcome } from './table.ts'

const SERVERS = 30

/** How long a browser that has never been here takes to the list of 30 servers, and what that costs. */
export async function benchLoad(bench: Bench): Promise<Outcome> {
  const first = await bench.context.newPage()
  await first.goto(bench.address)
  await first.waitForFunction(() => 'panel' in window)
  const have = await first.locator(ENTRIES).count()
  await createServers(first, Math.max(0, SERVERS - have))
  await first.waitForFunction(([entries, count]) => document.querySelectorAll(entries).length >= count, [
    ENTRIES,
    SERVERS,
  ] as const)
  await first.close()

  const bare = await bareList()
  const loads: Load[] = []
  const rounds = await inTurns(
    `cold load of ${SERVERS} servers`,
    {
      limit: () => inNewContext(bench, (page) => toList(page, bare.address, SERVERS)),
      ours: async () => {
        const load = await inNewContext(bench, (page) => measureLoad(page, bench.address, SERVERS))
        loads.push(load)
        return load.usable
      },
    },
    ['limit'],
  )
  bare.close()
  const many = await benchManyServers()
  return {
    bench: 'load',
    lost: 0,
    figures: [
      ratioOf(rounds, 'ours', 'limit', {
        name: `cold load → list of ${SERVERS} servers ÷ bare page`,
        target: 3.5,
        limitIs: 'a page with the same entries and no script',
      }),
      firstScreen(loads),
      {
        name: 'JavaScript heap on the list',
        value: median(loads.map((load) => load.heap)) / 1e6,
        unit: 'MB',
        target: 15,
        note: 'after a forced collection',
      },
      ...many,
    ],
  }
}

/** The raw limit: the same list as a page without a line of script. */
async function bareList(): Promise<{ address: string; close: () => void }> {
  const entries = Array.from(
    { length: SERVERS },
    (_, at) => `<li><a data-server href="#${at}">Server ${at}</a></li>`,
  )
  const html = `<!doctype html><title>List</title><nav aria-label="Servers"><ul>${entries.join('')}</ul></nav>`
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(html),
  )
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
