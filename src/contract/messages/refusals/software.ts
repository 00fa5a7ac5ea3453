export const softwareRefusals = {
  'refused.software.not-found': 'This software is not offered here. The catalog lists what is.',
  'refused.software.not-known': 'This service does not offer this software. Choose one from its catalog.',
  'refused.software.not-offered':
    'Its software, "{software}", is not offered by this service at the moment. Whoever runs the service decides what is, for example with --catalogs; the server\'s files are untouched.',
  'refused.software.version-not-known':
    'This version of {software} is not offered. Choose one from the list.',
  'refused.software.no-build': 'There is no build of {software} for {version} yet. Choose another version.',
  'refused.software.build-not-known': '{software} {version} has no build {build}. Choose one from the list.',
  'refused.software.build-not-known.here': 'This version has no such build. Choose one from the list.',
  'refused.software.no-server':
    'Mojang offers no server for {version}: it is too old. Choose 1.2.5 or a later version.',
  'refused.software.license': 'To run this software, accept the {license} first: {url}',
  'refused.software.license-other':
    'This is not the license of the software of this server. Reload, then read it again.',
  'refused.software.owners-license':
    'Only the owner of this server can accept the license of this software. Ask the owner to change it.',
  'refused.software.owners-copy':
    'The owner of this server has reset it. While the copy of what there was before is kept, only the owner can go back to it or change the software.',
  'refused.software.same': 'The server runs this software in this version already.',
  'refused.software.no-copy': 'There is no copy of this server to go back to.',
  'refused.software.no-room':
    "A copy of the server is made first. It needs {needed:bytes}, and the service's disk has {free:bytes} left for it. Free up space on it, then try again.",
  'refused.software.unsettled':
    'An earlier change of this server could not be finished, and nothing is done with it until then. Check the disk of the service and its log, then try again.',
  'refused.software.unsettled.now':
    'The change of this server could not be finished, and nothing is done with it until then. Check the disk of the service and its log, then try again.',
  'refused.software.no-safe-start': 'This software cannot be started without datapacks. Start it as always.',
  'refused.software.proxy':
    'This is a proxy: it has no world, no operators, no whitelist and no bans. Do this at the servers behind it.',
  'refused.software.memory':
    "The memory limit of {limit} MiB is larger than this computer's memory, which is {there} MiB. Set a lower limit, and leave some for the system and other servers.",
  'refused.software.arguments.zgc':
    'The ZGC set needs Java {since} or newer, and this server runs with Java {major}. Choose another set.',
  'refused.software.arguments.too-many':
    'There are {count} arguments, and at most {most} are taken. Remove some.',
  'refused.software.arguments.too-long':
    'The argument "{argument}" can\'t be used: it is longer than {most} characters.',
  'refused.software.arguments.heap':
    'The argument "{argument}" can\'t be used: the heap follows from the memory limit. Change the limit of the server instead.',
  'refused.software.arguments.file':
    'The argument "{argument}" can\'t be used: files of arguments are not read. Enter the arguments themselves.',
  'refused.software.arguments.code':
    'The argument "{argument}" can\'t be used: it would load code into the server. Remove it.',
  'refused.software.arguments.what-runs':
    'The argument "{argument}" can\'t be used: what the server runs is not changed here. Remove it.',
  'refused.software.arguments.program':
    'The argument "{argument}" can\'t be used: it would run a program. Remove it.',
  'refused.software.arguments.unknown':
    'The argument "{argument}" can\'t be used: it is not among those that are known to be safe. Remove it.',
  'refused.software.arguments.collectors': '"{first}" and "{second}" exclude each other. Keep one of them.',
  'refused.software.arguments.set':
    'The argument "{argument}" conflicts with the chosen set of arguments, which brings its own garbage collector. Remove it, or choose the default set.',
  'refused.software.folder-name':
    "This software doesn't run in a folder whose path contains ! or +, and the server's is {folder}. Move the data folder to a path without them, then start the server again.",
  'refused.software.settings-damaged':
    "{file} of this server can't be read, so the server can't be prepared to start. Repair or delete the file, then try again.",
  'refused.software.jar-missing':
    "{jar}, the jar of this server, isn't in its folder. Upload it there under this name, then start the server again.",
  'refused.software.jar-missing.unknown':
    'It is no longer known which jar this server runs. Choose other software for it, or move the server in again from a copy of its files.',
  'refused.software.jar-broken':
    "{jar} can't be run: it is damaged, or not a jar. Replace it with an intact copy.",
  'refused.software.jar-broken.no-file':
    '{jar}, the jar of this server, is a folder or a link. Put the jar itself there, then start the server again.',
  'refused.software.jar-not-runnable':
    "{jar} can't be run: it doesn't say what is to be started (it has no main class). Perhaps it is a plugin or a mod. Upload the jar of a server under this name instead.",

  'refused.software.catalogue-slow':
    'The catalog of {name} takes too long to answer right now. Try again in a moment.',
  'refused.software.catalogue-unreachable':
    "The catalog of {name} can't be reached right now. Check the service's internet connection, then try again.",
  'refused.software.catalogue-busy': {
    one: 'The catalog of {name} accepts no more requests at the moment. Try again in a second.',
    other: 'The catalog of {name} accepts no more requests at the moment. Try again in {count} seconds.',
  },
  'refused.software.catalogue-busy.minutes': {
    one: 'The catalog of {name} accepts no more requests at the moment. Try again in a minute.',
    other: 'The catalog of {name} accepts no more requests at the moment. Try again in {count} minutes.',
  },
  'refused.software.catalogue-unreadable':
    "The catalog of {name} sent an answer that couldn't be read. Try again later; if this keeps happening, update Wheelhouse.",
  'refused.software.catalogue-missing':
    "The catalog of {name} doesn't have what it is expected to have. Try again later; if this keeps happening, update Wheelhouse.",

  'refused.software.download-failed':
    '"{file}" couldn\'t be downloaded from {host}: {reason:part}. Try again later.',
  'refused.software.download-failed.tried':
    '"{file}" couldn\'t be downloaded from {host}: {reason:part} ({times} attempts). Try again later.',
  'refused.software.download-failed.kept':
    '"{file}" couldn\'t be downloaded from {host}: {reason:part} ({times} attempts). What has arrived is kept: try again to continue.',
  'refused.software.download-wrong':
    '"{file}" from {host} isn\'t the file its catalog lists: its size or checksum differed twice. It was deleted, and nothing was changed. Try again later, or choose another version.',
  'refused.software.download-too-large':
    '"{file}" is {bytes:bytes} in size, and files larger than {most:bytes} are not downloaded. Choose another version.',
  'refused.software.download-unreadable':
    'The copy of "{file}" that is kept here can\'t be read. Check the disk of the service, then try again.',
  'refused.software.download-other': 'What was downloaded is not {name} for this version. Try again later.',
  'refused.software.disk-full':
    'There isn\'t enough space on the service\'s disk for "{file}": it needs {needed:bytes}, with {spare:bytes} to spare, and {free:bytes} are free. Free up space, then try again.',

  'refused.software.java-not-built':
    "Adoptium doesn't offer Java {major} for this computer ({os}, {architecture}). Install Java {major} yourself, or choose another version of the server.",
  'refused.software.java-catalogue.unencrypted':
    "Java couldn't be looked up at {host}. It gives an address without encryption. You can also install Java yourself.",
  'refused.software.java-catalogue.no-checksum':
    "Java couldn't be looked up at {host}. It lists no checksum for {release}. You can also install Java yourself.",
  'refused.software.java-catalogue.unreachable':
    "Java couldn't be looked up at {host}. It can't be reached right now. Check the service's internet connection, then try again. You can also install Java yourself.",
  'refused.software.java-catalogue.busy':
    "Java couldn't be looked up at {host}. It accepts no more requests at the moment. Try again later. You can also install Java yourself.",
  'refused.software.java-catalogue.unreadable':
    "Java couldn't be looked up at {host}. Its answer couldn't be used. Try again later. You can also install Java yourself.",
  'refused.software.java-too-old':
    'This server needs Java {wanted} or newer, and Java {chosen} was chosen for it. Choose another one in its settings.',
  'refused.software.java-too-old.exact':
    'This server needs Java {wanted}, and Java {chosen} was chosen for it. Choose another one in its settings.',
  'refused.software.java-broken':
    "Java {major} ({release}) was downloaded, but couldn't be installed. {why} Try again later, or install Java yourself.",
  'refused.software.java-broken.not-found':
    "Java {major} ({release}) was downloaded, but couldn't be installed. It could not be found after it was extracted. Try again later, or install Java yourself.",

  'refused.software.installer-not-started':
    'The installer of {name} cannot be started ({why}). Try again; if this keeps happening, choose another Java for this server.',
  'refused.software.installer-slow':
    'The installer of {name} took longer than {minutes} minutes and was ended. Try again later.',
  'refused.software.installer-failed':
    'The installer of {name} failed (exit code {code}). The console shows what it printed. It needs an internet connection: try again later, or choose another version.',
  'refused.software.installer-failed.no-code':
    'The installer of {name} failed. The console shows what it printed. It needs an internet connection: try again later, or choose another version.',
  'refused.software.installer-left-too-much':
    'The installer left more files than any server has. Try another version.',
  'refused.software.installer-left-nothing':
    'The installer of {name} left no server behind. Try another version.',
  'refused.software.unexpected':
    "Something unexpected happened. The server's console says more. Look at it, then try again.",

  'refused.part.bad-address': 'its catalog gives an invalid address',
  'refused.part.refuses': 'it refuses the connection',
  'refused.part.cut': 'the connection was cut',
  'refused.part.no-host': 'its address could not be found; is there an internet connection?',
  'refused.part.no-way': 'there is no way to it; is there an internet connection?',
  'refused.part.silent': 'it does not answer',
  'refused.part.certificate': 'its certificate is not trusted ({code})',
  'refused.part.network': 'the network failed ({code})',
  'refused.part.packed': 'it answered in a compressed form that was not asked for',
  'refused.part.redirects': 'it redirects too many times',
  'refused.part.redirects-nowhere': 'it redirects to an invalid address',
  'refused.part.redirects-elsewhere': 'it redirects to an address that it has no files at ({to})',
  'refused.part.redirects-open': 'it redirects to an unencrypted or unknown address ({to})',
  'refused.part.gone': 'the file is no longer there ({status})',
  'refused.part.too-often': 'it is asked too often (429)',
  'refused.part.status': 'it answered with an error ({status})',
  'refused.part.idle': 'nothing arrived for {seconds} seconds',
  'refused.part.other-part': 'it sent another part than was asked for',
  'refused.part.too-much': 'it sends more than its catalog says',
  'refused.software.second-try':
    'The change had to be finished in a second try. Look at the server before you start it.',

  'refused.software.memory.given':
    'The memory limit of {limit} MiB is larger than the memory that this service may use, which is {there} MiB: its container or the system sets that limit. Raise it, or set a lower one here, and leave some for the system and other servers.',
  'refused.software.catalogue-proxy-name':
    "The catalog of {name} can't be reached: the proxy of this network wants a name and a password. Set HTTPS_PROXY to its address with both, and start the service again.",
  'refused.software.catalogue-proxy':
    "The catalog of {name} can't be reached: the proxy of this network refuses to connect to it. Ask whoever runs the network.",
  'refused.software.catalogue-proxy-kind':
    "The catalog of {name} can't be reached: the proxy of this network is of a kind that Wheelhouse cannot use. HTTP, HTTPS and SOCKS proxies work.",
  'refused.part.proxy-name': 'the proxy of this network wants a name and a password',
  'refused.part.proxy-refuses': 'the proxy of this network does not let us through',
  'refused.part.proxy-kind': 'the proxy of this network is of a kind that cannot be used',
  'refused.part.asks-for-a-pause': '{to} accepts no more requests at the moment',
  'refused.part.asks-for-minutes': '{to} accepts no more requests for {minutes} minutes',
} as const
