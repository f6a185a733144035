import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../refusal.ts'
import { configTypeNames } from './config/config-types.ts'

const onlyRead: ReadonlySet<string> = new Set(['user--user', 'file--file', ...configTypeNames])

/** Those of which each one can be changed. */
const changed: readonly string[] = ['user--user', 'file--file']

/** Refuses to write what is not a record but only read: whoever asks is told what does work there. */
export function refuseOnlyRead(request: FastifyRequest): void {
  const { family, bundle, uuid } = request.params as Readonly<Record<string, string | undefined>>
  const type = `${family}--${bundle}`
  if (!onlyRead.has(type)) return
  throw cannotWrite(request, uuid !== undefined && changed.includes(type) ? ['PATCH'] : [])
}

export function refuseToWrite(request: FastifyRequest): never {
  throw cannotWrite(request, [])
}

function cannotWrite({ method }: FastifyRequest, but: readonly string[]): Refusal {
  const allow = ['GET', 'HEAD', ...but, 'OPTIONS']
  return new Refusal('method-not-allowed', `${method} does not work here; ${allow.join(', ')} do.`, { allow })
}
