import manifest from '../../../package.json' with { type: 'json' }

/** Where the catalogs are, and what they may write to: they reject clients without a contact. */
export interface CatalogAddresses {
  modrinth: string
  hangar: string
  contact: string
}

/** Publishers put their contact into the manifest. */
export const CATALOG_ADDRESSES: CatalogAddresses = {
  modrinth: 'https://api.modrinth.com',
  hangar: 'https://hangar.papermc.io',
  contact: manifest.homepage,
}
