import { loaded } from '../base/loaded.ts'

/** The servers behind a proxy: its own settings, and what it needs of them. */
export const proxy = loaded({
  'proxy.title': 'Servers behind this proxy',
  'proxy.text':
    'Players join this proxy, and it sends them to its servers. New players start on the numbered ones: on the first of them that answers.',
  'proxy.servers': 'Servers behind this proxy',
  'proxy.empty': 'No servers yet. Without one, nobody can join.',
  'proxy.place': 'Players start here, number {place}',
  'proxy.no-place': 'Players don’t start here',
  'proxy.starts': 'Players start here',
  'proxy.no-start': 'Choose at least one server where players start. Until then, nobody can join.',
  'proxy.no-start-but':
    'Choose at least one server where players start. Until then, players can join only by the addresses below.',
  'proxy.order': 'Where players start',
  'proxy.address-of': 'Address of {name}',
  'proxy.earlier': 'Move {name} up',
  'proxy.later': 'Move {name} down',
  'proxy.cannot-move': 'Only servers where players start have an order.',
  'proxy.cannot-earlier': 'It is already the first.',
  'proxy.cannot-later': 'It is already the last.',
  'proxy.remove': 'Remove {name}',
  'proxy.removed': 'removed',
  'proxy.which': 'Server',
  'proxy.other': 'Another server',
  'proxy.name': 'Name',
  'proxy.address': 'Address',
  'proxy.add': 'Add server',
  'proxy.name-missing': 'Enter a name.',
  'proxy.name-odd': 'Use one word without spaces and quotes, other than “try”.',
  'proxy.name-taken': 'This proxy already has a server with this name.',
  'proxy.bad-address':
    'Enter a host and a port, such as 127.0.0.1:25566. Velocity wouldn’t start with a host that has other characters than a–z, digits, hyphens, and dots.',
  'proxy.unknown-server': '{name} is not among the servers above. Velocity would not start.',
  'proxy.host-empty': 'Choose a server. Velocity would not start.',
  'proxy.hosts': 'Addresses for certain servers',
  'proxy.hosts-text': 'Players who join by one of these addresses start on the servers you choose for it.',
  'proxy.host': 'Address that players enter',
  'proxy.leads-to': 'Leads to',
  'proxy.add-host': 'Add address',
  'proxy.bad-host': 'Enter a host name without a port, such as games.example.com.',
  'proxy.host-taken': 'This address is already in the list.',
  'proxy.not-from': 'Don’t lead {host} to {name}',
  'proxy.also-to': 'Also lead {host} to',
  'proxy.also': 'Add…',
  'proxy.forwarding': 'Player forwarding',
  'proxy.forwarding-text':
    'How the servers learn who a player is. Without it, they see every player as coming from the proxy, with another UUID.',
  'proxy.mode': 'Mode',
  'proxy.mode-modern': 'Modern',
  'proxy.mode-bungeeguard': 'BungeeGuard',
  'proxy.mode-legacy': 'Legacy (BungeeCord)',
  'proxy.mode-none': 'None',
  'proxy.mode-modern-text':
    'For Minecraft 1.13 and later. Servers accept only players whom this proxy vouches for.',
  'proxy.mode-bungeeguard-text':
    'For older versions. Each server needs the plugin BungeeGuard with the secret.',
  'proxy.mode-legacy-text':
    'For older versions. Not safe by itself: whoever reaches a server directly can join under any name.',
  'proxy.mode-none-text': 'The servers don’t learn who a player is.',
  'proxy.mode-unknown': 'The file names a mode that Velocity doesn’t know. Choose one.',
  'proxy.behind': 'What the servers need',
  'proxy.behind-checking': 'Checking…',
  'proxy.behind-ready': 'Takes players from this proxy',
  'proxy.behind-needed': 'Not set up for this proxy yet',
  'proxy.behind-half':
    'Half set up: config/paper-global.yml is done, online-mode in server.properties is still on. Set it up to finish.',
  'proxy.behind-failed': 'How it is set up isn’t known.',
  'proxy.behind-never-run': 'Start it once, so that it writes its settings. Then set it up here.',
  'proxy.behind-by-hand': 'The panel can’t set this one up. See below for what it needs.',
  'proxy.by-hand':
    'Any other server needs online-mode=false in server.properties, and modern forwarding with this proxy’s secret: Paper in config/paper-global.yml under proxies.velocity, Fabric with a mod.',
  'proxy.copy-secret': 'Copy secret',
  'proxy.save-first': 'Save your changes first.',
  'proxy.set-up': 'Set up',
  'proxy.set-up-title': 'Set up {name} for this proxy?',
  'proxy.set-up-text': 'From its next start, players can join it only through this proxy:',
  'proxy.set-up-forwarding':
    'config/paper-global.yml: Velocity forwarding is turned on, with the secret of this proxy.',
  'proxy.set-up-online':
    'server.properties: online-mode is turned off, because the proxy checks who players are.',
  'proxy.set-up-then': 'Everything else in these files stays as it is.',
  'proxy.set-up-then-runs':
    'Everything else in these files stays as it is. The server is running: restart it afterwards.',
  'proxy.unchecked':
    'This proxy doesn’t check who players are: online-mode is off in velocity.toml. If the servers trusted it, anybody could join under any name. Turn online-mode on there and restart the proxy, then set the servers up.',
  'proxy.set-up-done': '{name} is set up.',
  'proxy.set-up-runs': '{name} is set up. Restart it for this to take effect.',
  'proxy.saved': 'Saved.',
  'proxy.saved-runs': 'Saved. The proxy still runs with its old settings.',
  'proxy.saved-starting': 'Saved. The proxy is starting, and may run with its old settings.',
  'proxy.maybe-old':
    'The proxy was starting when this was saved, so it may run with its old settings. Reload them, or restart it. When reloading, players on servers that you removed or whose address you changed are moved to another one, or disconnected where there is none.',
  'proxy.old':
    'The proxy runs with its old settings. Reload them, or restart it. When reloading, players on servers that you removed or whose address you changed are moved to another one, or disconnected where there is none.',
  'proxy.reload': 'Reload settings',
  'proxy.reload-later': 'The proxy is still starting. You can reload its settings once it is online.',
  'proxy.reloaded': 'The proxy was told to reload its settings. Its console shows the result.',
  'proxy.rest': 'Everything else is in the file',
  'proxy.not-here':
    'This can’t be changed here without touching other parts of velocity.toml. Change it in the file itself.',
  'proxy.no-file': 'Start the proxy once: it writes its settings then, and you can add servers here.',
  'proxy.damaged': 'velocity.toml has an error, so it can’t be shown here. Correct it in the file.',
  'proxy.open-file': 'Open file',
} as const)
