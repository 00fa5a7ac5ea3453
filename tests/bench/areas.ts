import { benchAccount } from './areas/account.ts'
import { benchActivity } from './areas/activity.ts'
import { benchPlayers } from './areas/players.ts'
import type { Bench } from './panel.ts'
import type { Outcome } from './table.ts'

/**
 * One per area; each has servers of its own, or a service. Those of an area are in a file of its name below `areas/`:
 * a new one is added here.
 */
const sections = [benchPlayers, benchActivity, benchAccount]

/** What people wait for in the areas of a server. */
export async function benchAreas(bench: Bench): Promise<Outcome> {
  const outcomes: Omit<Outcome, 'bench'>[] = []
  for (const section of sections) {
    const begun = performance.now()
    outcomes.push(await section(bench))
    process.stderr.write(`  ${section.name}: ${((performance.now() - begun) / 1000).toFixed(0)} s\n`)
  }
  return {
    bench: 'areas',
    figures: outcomes.flatMap(({ figures }) => figures),
    lost: outcomes.reduce((sum, { lost }) => sum + lost, 0),
  }
}
