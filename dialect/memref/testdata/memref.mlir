func.func @buffers(%n: index, %m: memref<4x8xf32>, %d: memref<?x?xf32>, %x: f32, %s: memref<f32>) {
  %a = memref.alloc() : memref<4x8xf32>
  %b = memref.alloc(%n, %n) {alignment = 64 : i64} : memref<?x?xf32>
  %c = memref.alloc(%n)[%n] {note} : memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
  %e = memref.alloca(%n) : memref<?xf32, 3>
  %f = memref.alloca() {alignment = 8} : memref<1xi32>
  memref.dealloc %a : memref<4x8xf32>
  %l = memref.load %m[%n, %n] : memref<4x8xf32>
  %k = memref.load %s[] {nontemporal = true} : memref<f32>
  memref.store %x, %m[%n, %n] : memref<4x8xf32>
  memref.store %l, %m[%n, %n] {nontemporal = true, note} : memref<4x8xf32>
  memref.store %k, %s[] : memref<f32>
  memref.copy %m, %d {note} : memref<4x8xf32> to memref<?x?xf32>
  %g = memref.dim %m, %n : memref<4x8xf32>
  %r = memref.rank %d : memref<?x?xf32>
  memref.assume_alignment %m, 16 : memref<4x8xf32>
  return
}

func.func @views(%n: index, %m: memref<4x8xf32>, %d: memref<?x?xf32>, %u: memref<*xf32>, %g: memref<4x8xf32, 1>, %i8: memref<64xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>, 2>) {
  %0 = memref.subview %m[%n, 0] [2, 4] [1, 1] : memref<4x8xf32> to memref<2x4xf32, strided<[8, 1], offset: ?>>
  %1 = memref.subview %d[0, 0] [%n, 4] [1, %n] {note} : memref<?x?xf32> to memref<?x4xf32, strided<[?, ?]>>
  %2 = memref.subview %m[1, 2] [1, 4] [1, 1] : memref<4x8xf32> to memref<4xf32, strided<[1], offset: 10>>
  %3 = memref.subview %st[1, 1] [2, 3] [2, 2] : memref<4x8xf32, strided<[16, 2], offset: 3>, 2> to memref<2x3xf32, strided<[32, 4], offset: 21>, 2>
  %4 = memref.reinterpret_cast %m to offset: [0], sizes: [2, %n], strides: [%n, 1] : memref<4x8xf32> to memref<2x?xf32, strided<[?, 1]>>
  %5 = memref.reinterpret_cast %u to offset: [%n], sizes: [8], strides: [1] {note} : memref<*xf32> to memref<8xf32, strided<[1], offset: ?>>
  %6 = memref.cast %m : memref<4x8xf32> to memref<?x8xf32>
  %7 = memref.cast %m {note} : memref<4x8xf32> to memref<*xf32>
  %8 = memref.cast %0 : memref<2x4xf32, strided<[8, 1], offset: ?>> to memref<2x?xf32, strided<[?, 1], offset: ?>>
  %9 = memref.memory_space_cast %g : memref<4x8xf32, 1> to memref<4x8xf32>
  %10 = memref.extract_aligned_pointer_as_index %m : memref<4x8xf32> -> index
  %11 = memref.view %i8[%n][] : memref<64xi8> to memref<4xf32>
  %12 = memref.view %i8[%n][%n] {note} : memref<64xi8> to memref<?xf32>
  %13 = memref.get_global @glob : memref<2xf32>
  return
}

memref.global "private" constant @glob : memref<2xf32> = dense<[1.0, 2.0]> {alignment = 16 : i64}
memref.global @declared : memref<2xf32, 1>
memref.global "public" @empty : memref<2x3xi8> = uninitialized {note}
memref.global @splat : memref<4xi32> = dense<7>
