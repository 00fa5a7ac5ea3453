import { benchAccount } from './areas/account.ts'
import { benchPlayers } from './areas/players.ts'
import type { Bench } from './panel.ts'
import type { Outcome } from './table.ts'

/** One per area; each has servers of its own, or a service. */
const sections = [benchPlayers, benchAccount]

/** What people wait for in the areas of a server. */
export async function benchAreas(bench: Bench): Promise<Outcome> {
  const outcomes: Omit<Outcome, 'bench'>[] = []
  for (const section of sections) outcomes.push(await section(bench))
  return {
    bench: 'areas',
    figures: outcomes.flatMap(({ figures }) => figures),
    lost: outcomes.reduce((sum, { lost }) => sum + lost, 0),
  }
}
