! SPDX-License-Identifier: MIT
! 288 spheres fall on a plane and come to rest: minimal.c in Fortran.
program minimal
    use, intrinsic :: iso_c_binding
    use dem
    implicit none
    type(c_ptr) :: world
    type(dem_world_config) :: config
    type(dem_linear), target :: law
    type(dem_contact_model) :: model
    type(dem_wall) :: floor
    type(dem_particle) :: p
    type(dem_world_energies) :: e
    type(dem_view) :: x
    type(dem_error), target :: error
    real(c_double), pointer :: z(:)
    real(c_double) :: height
    integer(c_int32_t) :: status
    integer(c_int64_t) :: i
    integer :: k, layer

    world = c_null_ptr
    call check(dem_world_config_init(config))
    config%gravity(3) = -9.81_c_double
    config%boundary(1:2) = DEM_BOUNDARY_PERIODIC
    config%box_high(1:2) = 0.066_c_double
    status = dem_world_create(config, world, c_loc(error))
    if (status /= DEM_OK) then
        print '(a)', dem_text(error)
        error stop 1
    end if

    call check(dem_linear_init(law))
    law%stiffness_normal = 5e3_c_double ! N/m
    law%restitution = 0.5_c_double
    call check(dem_contact_model_init(model))
    call check(dem_contact_model_add_linear_csds(model, law))
    call check(dem_contact_model_set(world, 0_c_int32_t, 0_c_int32_t, model))

    call check(dem_wall_init(floor)) ! through the origin, normal +z
    call check(dem_wall_add(world, floor, c_null_ptr))
    do k = 0, 287
        layer = k / 36
        call check(dem_particle_init(p))
        p%radius = 0.005_c_double
        p%position(1) = 0.011_c_double * mod(k, 6) + 0.003_c_double * layer
        p%position(2) = 0.011_c_double * mod(k / 6, 6) + 0.002_c_double * layer
        p%position(3) = 0.006_c_double + 0.011_c_double * layer
        call check(dem_particle_add(world, p, c_null_ptr))
    end do

    call dem_output_init(e)
    call dem_output_init(x)
    do k = 0, 10
        call check(dem_step(world, 1e-5_c_double, merge(0_c_int64_t, 5000_c_int64_t, k == 0)))
        call check(dem_world_energies_get(world, e))
        call check(dem_world_view(world, DEM_FIELD_POSITION, x))
        height = 0
        do i = 0, x%count - 1
            z => dem_view_row(x, i, 3)
            height = height + z(3) / real(x%count, c_double)
        end do
        print '(a, f4.2, 2(a, es9.3e2, a, es11.5e2), a, f7.5, a)', 't ', dem_world_time(world), &
            ' kinetic ', e%kinetic_translation + e%kinetic_rotation, ' potential ', e%potential, &
            ' elastic ', e%elastic, &
            ' dissipated ', e%dissipated_normal + e%dissipated_dashpot + e%dissipated_slip, &
            ' J height ', height, ' m'
    end do
    call dem_world_destroy(world)

contains

    subroutine check(status)
        integer(c_int32_t), intent(in) :: status
        if (status == DEM_OK) return
        print '(3a)', dem_text(dem_status_string(status)), ': ', dem_text(dem_world_error(world))
        error stop 1
    end subroutine
end program
