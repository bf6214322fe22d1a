import { definePolicy, type Principal } from '@toolwright/core';

export type PermissionName = 'reports:delete' | 'features:switch';

const permissions: Readonly<Record<string, readonly PermissionName[]>> = {
  editor: ['reports:delete'],
  admin: ['reports:delete', 'features:switch'],
};

/** The tool is there for callers whose role has the permission. */
export const Permission = definePolicy<PermissionName>('permission');

/** By the role that the caller's authentication vouches for. Anonymous callers have none. */
export function hasPermission(principal: Principal | undefined, permission: PermissionName): boolean {
  const role = principal?.claims?.['role'];
  return (
    typeof role === 'string' && Object.hasOwn(permissions, role) && permissions[role]!.includes(permission)
  );
}
