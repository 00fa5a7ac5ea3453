export const reachSentences = {
  'reach.refused':
    'Nothing answers at this address: the service is not running, or it uses another port ({host}).',
  'reach.no-host': 'This host was not found. Check the address and the internet connection ({host}).',
  'reach.no-lookup': 'The host name cannot be looked up right now. Check the internet connection ({host}).',
  'reach.closed': 'The service closed the connection ({host}).',
  'reach.no-way': 'The host cannot be reached from this network ({host}).',
  'reach.no-network': 'There is no network connection to the host ({host}).',
  'reach.network-down': 'The network is down ({host}).',
  'reach.no-answer': 'The service did not answer in time ({host}).',
  'reach.silent': 'The service stopped responding in the middle of its answer ({host}).',
  'reach.proxy': "This network's proxy cannot be used ({host}).",
  'reach.proxy-name':
    "This network's proxy wants a name and a password ({host}). Set HTTPS_PROXY to its address with both, such as http://name:password@proxy.example.com:8080, and start Wheelhouse again.",
  'reach.proxy-refused': "This network's proxy does not let Wheelhouse connect to {host}.",
  'reach.proxy-kind':
    "This network's proxy is of a kind that Wheelhouse cannot use ({host}). HTTP, HTTPS and SOCKS proxies work.",
  'reach.too-long': 'The service took too long to answer ({host}).',
  'reach.failed': 'The service cannot be reached ({host}).',
  'reach.no-https':
    '{host} does not respond with proper HTTPS, so no secure connection can be made. Check the address and port.',
  'reach.no-http': '{host} answers, but not with HTTP. Check the address and port.',
} as const
