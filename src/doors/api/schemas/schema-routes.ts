import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireRight } from '../../../access/caller.ts'
import { isRelationship } from '../../../farm/newer/resource-type.ts'
import type { Records } from '../../../records/records.ts'
import { Refusal } from '../../../refusal.ts'
import { deliver, tagged } from '../../http/answers/ready-answer.ts'
import { baseAddressOf } from '../../http/base-address.ts'
import { callerOf } from '../../http/caller.ts'
import type { Schema } from '../../http/openapi/schema.ts'
import { refuseToWrite } from '../only-read.ts'
import { readParameters } from '../query/parameters.ts'
import { type DescribedMember, type DescribedType, describedType, typesBeside } from './described-type.ts'
import { collectionSchema, entrySchema, individualSchema, relatedSchema } from './document-schemas.ts'
import { resourceSchema } from './resource-schema.ts'

type SchemaOf = (type: DescribedType, base: string, request: FastifyRequest) => Schema

/** What resources and documents are made of, as JSON Schema, for everybody who may enter. */
export function schemaRoutes(app: FastifyInstance, installation: Records): void {
  const { farm } = installation
  const serve = (path: string, schemaOf: (request: FastifyRequest, base: string) => Schema) => {
    app.route({ method: ['POST', 'PUT', 'PATCH', 'DELETE'], url: path, handler: refuseToWrite })
    app.get(path, async (request, reply) => {
      requireRight(await callerOf(request, installation), 'enter')
      readParameters(request.url)
      const body = Buffer.from(JSON.stringify(schemaOf(request, baseAddressOf(request, installation))))
      return deliver(reply, tagged(request, { status: 200, headers: { 'content-type': 'application/json' }, body }))
    })
  }
  const ofType = (inside: string, schemaOf: SchemaOf) =>
    serve(`/api/:family/:bundle/${inside}`, (request, base) => {
      const { family, bundle } = request.params as Address
      return schemaOf(typeOf(`${family}--${bundle}`), base, request)
    })
  const typeOf = (name: string): DescribedType => {
    const type = describedType(farm, name)
    if (type === undefined) throw new Refusal('not-found', `There are no resources of the type ${name}.`)
    return type
  }

  serve('/api/schema', (_, base) => entrySchema(farm, base))
  ofType('schema', individualSchema)
  // Their other addresses take any word in this place.
  for (const type of typesBeside.values())
    serve(`/api/${type.name.replace('--', '/')}/schema`, (_, base) => individualSchema(type, base))
  ofType('collection/schema', collectionSchema)
  ofType('resource/schema', (type, base) => resourceSchema(farm, type, base))
  ofType('resource/relationships/:name/related/schema', (type, base, request) =>
    relatedSchema(type, relationshipOf(type, request), base),
  )
}

interface Address {
  readonly family: string
  readonly bundle: string
  readonly name: string
}

function relationshipOf(type: DescribedType, request: FastifyRequest): DescribedMember {
  const { name } = request.params as Address
  const found = type.members.find((member) => member.name === name && isRelationship(member))
  if (found === undefined) throw new Refusal('not-found', `${type.name} has no relationship ${name}.`)
  return found
}
