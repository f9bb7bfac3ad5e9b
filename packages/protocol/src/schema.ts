/** What is wrong with a value, and where. */
export interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** The parsed value, or what is wrong with it. */
export type SchemaResult<Out> =
  | { readonly value: Out; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] }

/**
 * A Standard Schema that also gives JSON Schema (zod from 4.2 on does): core itself depends on no schema library.
 */
export interface Schema<In, Out = In> {
  /** The Standard Schema interface. */
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: In; readonly output: Out } | undefined
    readonly jsonSchema: {
      /** JSON Schema of what goes in. */
      readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>
    }
    /** Parses a value. */
    readonly validate: (value: unknown) => SchemaResult<Out> | Promise<SchemaResult<Out>>
  }
}
