const NAMES: Readonly<Record<string, string>> = {
  paper: 'Paper',
  folia: 'Folia',
  purpur: 'Purpur',
  fabric: 'Fabric',
  quilt: 'Quilt',
  neoforge: 'NeoForge',
  forge: 'Forge',
  vanilla: 'Vanilla',
  velocity: 'Velocity',
  spigot: 'Spigot',
  craftbukkit: 'CraftBukkit',
  bungeecord: 'BungeeCord',
}

export const softwareName = (kind: string | null): string =>
  kind === null ? 'Minecraft' : (NAMES[kind] ?? kind)
