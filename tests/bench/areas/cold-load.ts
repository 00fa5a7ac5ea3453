import { firstScreen, inNewContext, measureLoad } from '../cold-page.ts'
import { benchManyServers } from '../many-servers.ts'
import type { Bench } from '../panel.ts'
import type { Outcome } from '../table.ts'

/** What every area shares: the first screen, and that many servers of many services cost it hardly more than a few. */
export async function benchColdLoad(bench: Bench): Promise<Omit<Outcome, 'bench'>> {
  const load = await inNewContext(bench, (page) => measureLoad(page, bench.address, 1))
  return { figures: [firstScreen([load]), ...(await benchManyServers())], lost: 0 }
}
