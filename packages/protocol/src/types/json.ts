/** A JSON value. What crosses into the kernel is copied as JSON, so that a run can be frozen and moved. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json }

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = { readonly [key: string]: unknown }
