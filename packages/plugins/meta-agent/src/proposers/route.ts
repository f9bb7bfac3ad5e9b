/** How a manifest came about. */
export type Route = 'rules' | 'model' | 'fixed' | 'fallback'
