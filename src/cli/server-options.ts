import { isIPv4 } from 'node:net'
import { defaultSettings, type ServerSettings } from '../config.ts'
import { farmOptions, Misuse } from './command.ts'
import { flag, many, type OptionValues, one, oneOrElse, optional } from './option.ts'
import { addressRange, anyText, httpAddress, namePattern, pathSegment, wholeNumber } from './option-values.ts'

export const serverOptions = {
  ...farmOptions,
  port: oneOrElse('N', wholeNumber(0, 65_535), {
    help: 'The port to listen on; 0 takes any free one',
    fallback: String(defaultSettings.port),
  }),
  host: oneOrElse('H', anyText, {
    help: 'The address to listen on; 0.0.0.0 or :: for every network',
    fallback: defaultSettings.host,
  }),
  'base-url': one('URL', httpAddress, {
    help: 'The public address of this farm; without it, links follow the Host of each request',
  }),
  'rest-module': oneOrElse('NAME', pathSegment, {
    help: 'The first path segment of the session token address',
    fallback: defaultSettings.restModule,
  }),
  'basic-auth': optional('PATTERN', namePattern, {
    help: 'Admit HTTP Basic for user names that match this regular expression, ^restws where none is given',
    bare: '^restws',
  }),
  'development-client': optional('ID', pathSegment, {
    help: 'Have an OAuth client for development, farm_development where none is given; it is there without asking while only this machine can connect',
    bare: 'farm_development',
    opposite: 'no-development-client',
  }),
  'no-development-client': flag({
    help: 'Have no OAuth client for development',
    opposite: 'development-client',
  }),
  'no-password-grant': flag({ help: 'Switch the OAuth password grant off for every client' }),
  'require-tls': flag({ help: 'Refuse requests that did not come over https' }),
  'tls-cert': one('FILE', anyText, {
    help: 'Speak TLS with this certificate (PEM, with its chain), read again when it changes',
  }),
  'tls-key': one('FILE', anyText, { help: 'The key of the certificate (PEM)' }),
  'body-mib': oneOrElse('N', wholeNumber(1, 128), {
    help: 'How many MiB a body may have, with its files',
    fallback: String(defaultSettings.bodyMebibytes),
  }),
  'file-mib': one('N', wholeNumber(1, 128), {
    help: `How many MiB one photo or file may have; ${defaultSettings.fileMebibytes} where none is given`,
  }),
  'trusted-proxy': many('CIDR', addressRange, { help: 'A proxy whose forwarded headers are believed' }),
  'no-log-addresses': flag({ help: "Leave callers' addresses out of the request log" }),
  'event-days': oneOrElse('N', wholeNumber(1, 36_500), {
    help: 'How many days events of access are kept (see furrow events)',
    fallback: String(defaultSettings.eventDays),
  }),
  'read-seconds': oneOrElse('N', wholeNumber(1, 600), {
    help: 'Seconds of processor time that reading one answer may take',
    fallback: String(defaultSettings.readSeconds),
  }),
  'metrics-port': one('N', wholeNumber(0, 65_535), { help: 'A port of its own for metrics and health' }),
  'metrics-host': oneOrElse('H', anyText, {
    help: 'The address that the metrics port listens on',
    fallback: defaultSettings.metricsHost,
  }),
  'no-app': flag({ help: 'Serve no app at /app/' }),
  'move-from-private': flag({
    help: 'Let managers move in from servers in private networks and on this machine, too',
  }),
}

type ServerValues = OptionValues<typeof serverOptions>

export function settingsFrom(values: ServerValues): ServerSettings {
  refuseOnePortForBoth(values)
  refusePlainBaseUrl(values)
  return {
    data: values.data,
    port: values.port,
    host: values.host,
    baseUrl: values['base-url'] ?? null,
    database: values.database ?? null,
    modules: values.module ?? [],
    restModule: values['rest-module'],
    basicAuth: values['basic-auth'] ?? null,
    developmentClient: developmentClientFrom(values),
    passwordGrant: !values['no-password-grant'],
    requireTls: values['require-tls'],
    tls: tlsFrom(values),
    bodyMebibytes: values['body-mib'],
    fileMebibytes: fileMebibytesFrom(values),
    trustedProxies: values['trusted-proxy'] ?? [],
    logAddresses: !values['no-log-addresses'],
    eventDays: values['event-days'],
    readSeconds: values['read-seconds'],
    metricsPort: values['metrics-port'] ?? null,
    metricsHost: values['metrics-host'],
    app: !values['no-app'],
    moveFromPrivate: values['move-from-private'],
  }
}

function tlsFrom({ 'tls-cert': cert, 'tls-key': key }: ServerValues): ServerSettings['tls'] {
  if (cert === undefined && key === undefined) return null
  if (cert !== undefined && key !== undefined) return { cert, key }
  throw new Misuse('TLS takes both --tls-cert FILE and --tls-key FILE.')
}

/** A file sent alone is a body. */
function fileMebibytesFrom({ 'file-mib': file, 'body-mib': body }: ServerValues): number {
  if (file === undefined) return Math.min(defaultSettings.fileMebibytes, body)
  if (file <= body) return file
  throw new Misuse(`--file-mib ${file} is more than a body may have (${body} MiB): raise --body-mib also.`)
}

const everywhere = ['0.0.0.0', '::']

/**
 * Two addresses of one machine can use the same port. The same address twice, or one address and all of them, cannot.
 */
function refuseOnePortForBoth({
  port,
  host,
  'metrics-port': metricsPort,
  'metrics-host': metricsHost,
}: ServerValues): void {
  if (port === 0 || port !== metricsPort) return
  if (host !== metricsHost && !everywhere.includes(host) && !everywhere.includes(metricsHost)) return
  throw new Misuse(
    `--port and --metrics-port are both ${port}: metrics need a port of their own. Choose another one for either.`,
  )
}

/** With --require-tls, links to an http:// address would all be refused. */
function refusePlainBaseUrl({ 'require-tls': requireTls, 'base-url': baseUrl }: ServerValues): void {
  if (!requireTls || baseUrl === undefined || baseUrl.startsWith('https:')) return
  const secure = baseUrl.replace(/^http:/, 'https:')
  throw new Misuse(
    `--require-tls refuses whoever comes over http, and --base-url ${baseUrl} sends everybody there. ` +
      `Give the address over https, such as --base-url ${secure}, or leave --require-tls out.`,
  )
}

const isLoopback = (host: string): boolean =>
  host.toLowerCase() === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))

function developmentClientFrom(values: ServerValues): string | null {
  if (values['no-development-client']) return null
  return values['development-client'] ?? (isLoopback(values.host) ? defaultSettings.developmentClient : null)
}
