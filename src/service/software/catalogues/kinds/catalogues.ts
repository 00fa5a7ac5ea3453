import type { Catalogue } from '../../catalogue.ts'
import type { CatalogueClient } from '../catalogue-client.ts'
import { Fabric } from './fabric.ts'
import { Fill, FILL_PROJECTS } from './fill.ts'
import { Forge } from './forge.ts'
import { Mojang } from './mojang.ts'
import { NeoForge } from './neoforge.ts'
import { Purpur } from './purpur.ts'
import { Quilt } from './quilt.ts'
import type { CatalogueSettings } from '../settings.ts'
import { Vanilla } from './vanilla.ts'

export type CatalogueKind =
  'vanilla' | 'paper' | 'folia' | 'velocity' | 'purpur' | 'fabric' | 'quilt' | 'neoforge' | 'forge'

export function makeCatalogues(
  client: CatalogueClient,
  settings: CatalogueSettings,
): Record<CatalogueKind, Catalogue> {
  const mojang = new Mojang(client, settings.mojang)
  const fill = (project: keyof typeof FILL_PROJECTS) =>
    new Fill(client, settings.paper, FILL_PROJECTS[project])
  return {
    vanilla: new Vanilla(mojang),
    paper: fill('paper'),
    folia: fill('folia'),
    velocity: fill('velocity'),
    purpur: new Purpur(client, settings.purpur, mojang),
    fabric: new Fabric(client, settings.fabric, mojang),
    quilt: new Quilt(client, settings.quilt, mojang),
    neoforge: new NeoForge(client, settings.neoforge, mojang),
    forge: new Forge(client, { promotions: settings.forge, maven: settings.forgeMaven }, mojang),
  }
}
