import type { Catalog } from '../../catalog.ts'
import type { CatalogClient } from '../../../../extensions/requests/catalog-client.ts'
import type { CatalogSettings } from '../settings.ts'
import { fabric, quilt } from './fabric-quilt.ts'
import { fill } from './fill.ts'
import { forge, neoforge } from './forge-neoforge.ts'
import { Mojang } from './mojang.ts'
import { purpur } from './purpur.ts'
import { vanilla } from './vanilla.ts'

export type CatalogKind =
  'vanilla' | 'paper' | 'folia' | 'velocity' | 'purpur' | 'fabric' | 'quilt' | 'neoforge' | 'forge'

export function makeCatalogs(client: CatalogClient, settings: CatalogSettings): Record<CatalogKind, Catalog> {
  const mojang = new Mojang(client, settings.mojang)
  return {
    vanilla: vanilla(mojang),
    paper: fill(client, settings.paper, 'paper', mojang),
    folia: fill(client, settings.paper, 'folia', mojang),
    velocity: fill(client, settings.paper, 'velocity', mojang),
    purpur: purpur(client, settings.purpur, mojang),
    fabric: fabric(client, settings.fabric, mojang),
    quilt: quilt(client, settings.quilt, mojang),
    neoforge: neoforge(client, settings.neoforge, mojang),
    forge: forge(client, { promotions: settings.forge, maven: settings.forgeMaven }, mojang),
  }
}
