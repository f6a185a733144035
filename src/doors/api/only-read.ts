import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../refusal.ts'
import { configTypeNames } from './config/config-types.ts'

const onlyRead: ReadonlySet<string> = new Set(['user--user', 'file--file', ...configTypeNames])

const allow = ['GET', 'HEAD', 'OPTIONS']

/** Refuses to write what is not a record but only read: whoever asks is told what does work there. */
export function refuseOnlyRead(request: FastifyRequest): void {
  const { family, bundle } = request.params as { readonly family?: string; readonly bundle?: string }
  if (onlyRead.has(`${family}--${bundle}`)) refuseToWrite(request)
}

export function refuseToWrite({ method }: FastifyRequest): never {
  throw new Refusal('method-not-allowed', `${method} does not work here; ${allow.join(', ')} do.`, { allow })
}
